# SPDX-License-Identifier: GPL-3.0-or-later
#
# Lines of C become the texts of a table: `/* part: NEED */` begins a row {NEED, text}, and is no part of the text.

/^\/\* part: [A-Z_]+ \*\/$/ {
	if (row++)
		print "},"
	print "{" $3 ","
	next
}

{
	gsub(/[\\"]/, "\\\\&")
	gsub(/\t/, "\\t")
	print "\"" $0 "\\n\""
}

END {
	if (row)
		print "},"
}
