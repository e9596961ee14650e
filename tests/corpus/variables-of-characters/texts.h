struct Text {
  const char *narrow;
  const char16_t *wide;
  const char32_t *large;
};
extern __constant__ Text texts[4];
extern __device__ char words[2][8];
extern __device__ char quoted[16];
