#ifndef CODES_H
#define CODES_H

// The nearest code of a sample within the codes that it may have.
static inline int nearest_code(float code, float least, float greatest) {
  code = code < least ? least : code;
  code = code > greatest ? greatest : code;
  return (int)(code + 0.5f);
}

#endif
