/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The old name of kit/problem.h.
 */
#include "kit/problem.h"
