// SPDX-License-Identifier: GPL-2.0-or-later
#include <langinfo.h>
#include <locale.h>
#include <string.h>

#include "cmd/cmd.h"

/* Not by setlocale(): how numbers and tables are printed must not depend on it. */
bool nt_utf8_wanted(void)
{
	locale_t user = newlocale(LC_CTYPE_MASK, "", NULL);
	bool utf8;

	if (!user)
		return false;
	utf8 = !strcmp(nl_langinfo_l(CODESET, user), "UTF-8");
	freelocale(user);
	return utf8;
}
