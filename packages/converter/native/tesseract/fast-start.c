// Preloaded into tesseract, which is started several times for a scanned page. At each start with a language in Latin
// letters it builds a table of ambiguous letters, which takes three quarters of the time of the start and as long as
// recognising two lines of text. Only the engine before version 4 uses the table. The name has the types of the
// parameters: a version of tesseract with other ones does not call this function.

void load_nothing(void *ambiguities, const void *encoder, void *letters)
    __asm__("_ZN9tesseract13UnicharAmbigs13LoadUniversalERKNS_10UNICHARSETEPS1_");

void load_nothing(void *ambiguities, const void *encoder, void *letters) {
  (void)ambiguities;
  (void)encoder;
  (void)letters;
}
