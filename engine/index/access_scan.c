/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads indices of accesses.
 */
#include "index/access.h"

#include <inttypes.h>
#include <string.h>

#include <shardwalk/number.h>

static const int64_t MOST_OFFSET = INT64_C(1) << 60;

/* factor * letter + offset, as far as it is read. */
typedef struct affine {
	char letter; /* 0: none yet */
	sw_span at;  /* where it was first */
	int64_t factor, offset;
} affine;

static bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int next_byte(const sw_scan *scan)
{
	return scan->at < scan->text.length ? (unsigned char)scan->text.at[scan->at] : -1;
}

/* `label` says what is at `also`; NULL: nothing is. */
static bool refuse_affine(sw_scan *scan, sw_span at, sw_span also, const char *label, const char *why)
{
	sw_quote quote = sw_scan_quote((sw_str){scan->text.at + at.begin, at.end - at.begin});

	sw_diag_set(scan->diag, scan->syntax, at, "the index is not affine in one letter: %s", why);
	sw_diag_expected(scan->diag, "a whole number times a letter, and a whole number added");
	sw_diag_found(scan->diag, "%s", quote.text);
	sw_diag_hint(scan->diag, "indices look like i, i-1, 2*i+1, (i+1)/2, :");
	if (label != NULL)
		sw_diag_also(scan->diag, also, "%s", label);
	return false;
}

static bool refuse_number(sw_scan *scan, sw_span at, const char *what, int64_t low, int64_t high)
{
	sw_quote quote = sw_scan_quote((sw_str){scan->text.at + at.begin, at.end - at.begin});

	sw_diag_set(scan->diag, scan->syntax, at, "%s %s is too %s", what, quote.text,
		low > 0 ? "small or too large" : "large");
	sw_diag_expected(scan->diag, "%" PRId64 " to %" PRId64, low, high);
	sw_diag_found(scan->diag, "%s", quote.text);
	return false;
}

static bool scan_digits(sw_scan *scan, const char *what, int64_t low, int64_t high, int64_t *number)
{
	sw_scan_peek(scan);
	size_t begin = scan->at;
	while (is_digit(next_byte(scan)))
		scan->at++;
	sw_span at = {begin, scan->at};
	if (at.end == at.begin)
		return sw_scan_unexpected(scan, "a whole number", (sw_span){0, 0});
	if (!sw_read_int((sw_str){scan->text.at + begin, at.end - begin}, number, NULL) || *number < low ||
		*number > high)
		return refuse_number(scan, at, what, low, high);
	return true;
}

static bool scan_letter(sw_scan *scan, affine *sum)
{
	sw_span at;
	sw_str name = sw_scan_bare(scan, &at);
	if (name.length > 1)
		return refuse_affine(scan, at, (sw_span){0, 0}, NULL, "a letter has no other letter beside it");
	if (sum->letter != 0 && sum->letter != *name.at)
		return refuse_affine(scan, at, sum->at, "the letter before", "it has two");
	if (sum->letter == 0)
		sum->at = at;
	sum->letter = *name.at;
	return true;
}

static bool add_term(sw_scan *scan, affine *sum, bool minus, bool letter, int64_t number)
{
	int64_t *into = letter ? &sum->factor : &sum->offset, most = letter ? SW_MOST_FACTOR : MOST_OFFSET;

	*into += minus ? -number : number;
	if (*into >= -most && *into <= most)
		return true;
	return sw_diag_set(scan->diag, scan->syntax, (sw_span){scan->at, scan->at},
		"the numbers of the index are too large");
}

/* What a letter, or a number, is multiplied by. */
static bool scan_factor(sw_scan *scan, affine *sum, bool of_letter, int64_t *number)
{
	bool letter = is_letter(sw_scan_peek(scan));

	if (letter && of_letter)
		return refuse_affine(scan, sw_scan_next_span(scan), sum->at, "the other factor",
			"a letter is multiplied by a letter");
	if (of_letter)
		return scan_digits(scan, "factor", 0, SW_MOST_FACTOR, number);
	return letter ? scan_letter(scan, sum) : sw_scan_unexpected(scan, "a letter", (sw_span){0, 0});
}

/* NUMBER ["*" LETTER] or LETTER ["*" NUMBER] */
static bool scan_term(sw_scan *scan, affine *sum, bool minus)
{
	int next = sw_scan_peek(scan);
	bool letter = is_letter(next);
	int64_t number = 1;

	if (!letter && !is_digit(next))
		return sw_scan_unexpected(scan, "a letter, or a whole number", (sw_span){0, 0});
	if (letter ? !scan_letter(scan, sum) : !scan_digits(scan, "number", 0, MOST_OFFSET, &number))
		return false;
	if (sw_scan_take(scan, '*')) {
		if (!scan_factor(scan, sum, letter, &number))
			return false;
		letter = true;
	}
	if (sw_scan_peek(scan) == '*')
		return refuse_affine(scan, sw_scan_next_span(scan), (sw_span){0, 0}, NULL,
			"it has a product of more than two");
	return add_term(scan, sum, minus, letter, number);
}

/* ["-"] TERM {("+" | "-") TERM} */
static bool scan_affine(sw_scan *scan, affine *sum)
{
	bool minus = sw_scan_take(scan, '-'), more = true;

	while (more) {
		if (!scan_term(scan, sum, minus))
			return false;
		minus = sw_scan_take(scan, '-');
		more = minus || sw_scan_take(scan, '+');
	}
	return true;
}

static bool scan_divisor(sw_scan *scan, int64_t *divisor)
{
	size_t begin = scan->at;

	if (!scan_digits(scan, "divisor", 0, SW_MOST_FACTOR, divisor))
		return false;
	if (*divisor > 0)
		return true;
	sw_span at = {begin, scan->at};
	sw_diag_set(scan->diag, scan->syntax, at, "an index is divided by 0");
	sw_diag_expected(scan->diag, "1 to %d", SW_MOST_FACTOR);
	sw_diag_found(scan->diag, "0");
	return false;
}

/* What is divided is a letter, or stands in brackets. */
static bool scan_quotient(sw_scan *scan, const affine *sum, sw_span open, int64_t *divisor)
{
	bool bare = sum->letter != 0 && sum->factor == 1 && sum->offset == 0, bracket = open.end > open.begin;

	if (bracket &&
		(!sw_scan_expect(scan, ')', "the bracket's end", open) ||
			!sw_scan_expect(scan, '/', "a division of something in brackets", (sw_span){0, 0})))
		return false;
	if (!bracket && !sw_scan_take(scan, '/'))
		return true;
	if (!bracket && !bare) {
		size_t at = scan->at - 1;
		sw_diag_set(scan->diag, scan->syntax, (sw_span){at, at + 1}, "the dividend is missing");
		sw_diag_expected(scan->diag, "brackets around it");
		sw_diag_hint(scan->diag, "indices look like i, i-1, 2*i+1, (i+1)/2, :");
		return false;
	}
	if (!scan_divisor(scan, divisor))
		return false;
	int next = sw_scan_peek(scan);
	if (next != '+' && next != '-' && next != '*' && next != '/')
		return true;
	return refuse_affine(scan, sw_scan_next_span(scan), (sw_span){0, 0}, NULL, "nothing can follow a division");
}

bool sw_index_scan(sw_scan *scan, sw_index *index, sw_span *at, sw_span *letter)
{
	affine sum = {0};
	int next = sw_scan_peek(scan);
	sw_span open = {scan->at, scan->at + (next == '(')};

	*at = (sw_span){scan->at, scan->at};
	*index = (sw_index){.divisor = 1, .width = 1, .whole = sw_scan_take(scan, ':')};
	if (next == '(')
		scan->at++;
	if (!index->whole && (!scan_affine(scan, &sum) || !scan_quotient(scan, &sum, open, &index->divisor)))
		return false;
	if (sum.factor != 0)
		index->letter = sum.letter;
	index->factor = sum.factor;
	index->offset = sum.offset;
	at->end = at->begin + sw_str_trim((sw_str){scan->text.at + at->begin, scan->at - at->begin}).length;
	*letter = sum.at;
	return true;
}

bool sw_index_check_dimension(sw_scan *scan, const sw_index *index, sw_span letter, int rank)
{
	const char *found = index->letter != 0 ? strchr(SW_DIMENSION_LETTERS, index->letter) : NULL;

	if (index->letter == 0 || (found != NULL && found - SW_DIMENSION_LETTERS < rank))
		return true;
	sw_diag_set(scan->diag, scan->syntax, letter, "'%c' is not a dimension of the type", index->letter);
	sw_diag_expected(scan->diag, "%.*s", rank, SW_DIMENSION_LETTERS);
	sw_diag_found(scan->diag, "'%c'", index->letter);
	return false;
}
