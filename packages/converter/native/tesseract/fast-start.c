// Preloaded into tesseract, which is started several times for a scanned page. Replaces functions that take a quarter of
// its time by faster ones with the same results. The names have the types of the parameters, so another version of
// tesseract does not call a function of other parameters. Two of them depend on the layout of classes as well: in
// versions other than the known ones, they call the original.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __GNUC__
#pragma GCC optimize("O3", "no-trapping-math") // vectorizes the loop over activations
#endif

// At each start with a language in Latin letters, tesseract builds a table of ambiguous letters, which takes three
// quarters of the time of the start. Only the engine before version 4 uses the table.
void load_nothing(void *ambiguities, const void *encoder, void *letters)
    __asm__("_ZN9tesseract13UnicharAmbigs13LoadUniversalERKNS_10UNICHARSETEPS1_");

void load_nothing(void *ambiguities, const void *encoder, void *letters) {
  (void)ambiguities;
  (void)encoder;
  (void)letters;
}

// Each line is passed to the recognition as a PNG in memory. Leptonica's own format, which the reader detects, needs no
// compression.
int pixWriteMem(uint8_t **data, size_t *size, void *picture, int format);

int pixWriteMem(uint8_t **data, size_t *size, void *picture, int format) {
  enum { png = 3, spix = 19 };
  static int (*original)(uint8_t **, size_t *, void *, int);
  if (!original) *(void **)&original = dlsym(RTLD_NEXT, "pixWriteMem");
  return original ? original(data, size, picture, format == png ? spix : format) : 1;
}

static bool is_known_version;

__attribute__((constructor)) static void find_version(void) {
  const char *(*version)(void);
  *(void **)&version = dlsym(RTLD_DEFAULT, "TessVersion");
  is_known_version = version && strcmp(version(), "5.3.0") == 0;
}

// For the lists of `std::vector<int>`.
struct integers {
  const int *begin, *end, *capacity;
};

struct stride_map {
  int shape[3], increments[3];
  struct integers heights, widths;
};

struct map_index {
  const struct stride_map *map;
  int position, indices[3];
};

static bool is_below(int index, int size, const struct integers *sizes, int batch) {
  if (batch < sizes->end - sizes->begin && sizes->begin[batch] < size) size = sizes->begin[batch];
  return index < size;
}

// Whether a position is inside the picture: asked nine times for each pixel.
bool is_valid(const struct map_index *index) __asm__("_ZNK9tesseract9StrideMap5Index7IsValidEv");

bool is_valid(const struct map_index *index) {
  if (!is_known_version) {
    static bool (*original)(const struct map_index *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "_ZNK9tesseract9StrideMap5Index7IsValidEv");
    return original(index);
  }
  const struct stride_map *map = index->map;
  const int *at = index->indices;
  return (at[0] | at[1] | at[2]) >= 0 && at[0] < map->shape[0] &&
         is_below(at[1], map->shape[1], &map->heights, at[0]) && is_below(at[2], map->shape[2], &map->widths, at[0]);
}

struct matrix_of_floats {
  const void *methods;
  float *values, empty;
  int rows, columns, allocated;
};

struct matrix_of_bytes {
  const void *methods;
  int8_t *values, empty;
  int rows, columns, allocated;
};

struct network_values {
  struct matrix_of_floats floats;
  struct matrix_of_bytes bytes;
  bool is_in_bytes;
};

// Stores activations, from -1 to 1, as bytes.
void write_values(struct network_values *to, int row, int column, int count, const float *from)
    __asm__("_ZN9tesseract9NetworkIO17WriteTimeStepPartEiiiPKf");

void write_values(struct network_values *to, int row, int column, int count, const float *from) {
  if (!is_known_version) {
    static void (*original)(struct network_values *, int, int, int, const float *);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "_ZN9tesseract9NetworkIO17WriteTimeStepPartEiiiPKf");
    original(to, row, column, count, from);
  } else if (to->is_in_bytes) {
    int8_t *restrict values = to->bytes.values + (ptrdiff_t)row * to->bytes.columns + column;
    for (int i = 0; i < count; i++) {
      float value = from[i] * INT8_MAX;
      value = value < INT8_MAX ? value : INT8_MAX;
      value = value > -INT8_MAX ? value : -INT8_MAX;
      values[i] = (int8_t)(int)(value + (value >= 0 ? .5F : -.5F));
    }
  } else if (count > 0) {
    float *values = to->floats.values + (ptrdiff_t)row * to->floats.columns + column;
    memcpy(values, from, (size_t)count * sizeof(float));
  }
}
