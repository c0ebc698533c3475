/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The journal of names that the MPI library gives to shared memory: see journal.c.
 */
#ifndef EX_JOURNAL_H
#define EX_JOURNAL_H

/* For tests: this process stays where it is once it has given so many names. */
void ex_journal_hold(int names);

#endif
