#ifndef CODES_H
#define CODES_H

// Returns the nearest code within the allowed range.
static inline int nearest_code(float code, float least, float greatest) {
  code = code < least ? least : code;
  code = code > greatest ? greatest : code;
  return (int)(code + 0.5f);
}

#endif
