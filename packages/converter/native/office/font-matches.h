/* A cache of fontconfig's answers. */
#ifndef KILN_FONT_MATCHES_H
#define KILN_FONT_MATCHES_H

/* Call when fontconfig's rules have changed. */
void forget_font_matches(void);

#endif
