#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The film of a plan at the prompt: every kind of plan, with colours and without, and what is refused.

