// Registers a program's device image with the CUDA runtime when the program starts.
//
// clang leaves a record of each kernel and variable in a section of the host object. The linker
// joins the sections, and names their ends. clang 21 and later use the first section, clang before
// it the second, and a program may hold both. The records of clang 20 have the later form, so the
// second section may hold both forms, without space between them.

struct __attribute__((packed)) entry {
  unsigned long long reserved;
  unsigned short version, kind;
  unsigned flags;
  void *address;
  const char *name;
  unsigned long long size, data;
  void *auxiliary;
};

struct __attribute__((packed)) early_entry {
  void *address;
  const char *name;
  unsigned long long size;
  unsigned flags, data;
};

// Both ends are the same place where no object has the section.
#define END __attribute__((weak, visibility("hidden")))
extern const struct entry __start_llvm_offload_entries[] END;
extern const struct entry __stop_llvm_offload_entries[] END;
extern const char __start_cuda_offloading_entries[] END;
extern const char __stop_cuda_offloading_entries[] END;

void **__cudaRegisterFatBinary(const void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaUnregisterFatBinary(void **);
int __cudaRegisterFunction(void **, const void *, const char *, const char *, int, void *, void *,
                           void *, void *, int *);
void __cudaRegisterVar(void **, void *, const char *, const char *, int, unsigned long, int, int);
void __cudaRegisterManagedVar(void **, void **, void *, const char *, unsigned long, unsigned);
int atexit(void (*)(void));

__asm__(".section .nv_fatbin,\"a\"\n"
        ".balign 16\n"
        "weft_image:\n"
        ".incbin \"WEFT_IMAGE\"\n"
        ".text\n");
// The label above, which no other object sees.
extern const char weft_image[] __attribute__((visibility("hidden")));

static struct {
  unsigned magic, version;
  const void *image, *unused;
} record __attribute__((section(".nvFatBinSegment"), aligned(8))) = {0x466243b1, 1, weft_image, 0};

// Units refer to this symbol (cmake/private/weft_reference.h), so that no linker makes a program of
// them that has no image.
__attribute__((weak, visibility("hidden"))) const char
    weft_did_not_link_the_device_code_of_this_program = 0;

static void **image;

enum { CUDA = 2, TYPE = 7, VARIABLE = 0, MANAGED = 1, EXTERN = 8, CONSTANT = 16 };

static void register_one(void *address, const char *name, unsigned long long size, unsigned flags) {
  if (size == 0)
    __cudaRegisterFunction(image, address, name, name, -1, 0, 0, 0, 0, 0);
  else if ((flags & TYPE) == VARIABLE)
    __cudaRegisterVar(image, address, name, name, (flags & EXTERN) != 0, size,
                      (flags & CONSTANT) != 0, 0);
}

static void unregister(void) { __cudaUnregisterFatBinary(image); }

static void end(void) { __cudaRegisterFatBinaryEnd(image); }

// A unit of nvcc calls a function of its own name, with one that registers what the unit has. The
// host linker leaves some units of an archive out, and those that it takes offer an object by which
// they can be counted. The registration ends with the last of them.
static unsigned expected, arrived;

__attribute__((unused)) static void register_unit(void (*unit)(void **)) {
  unit(image);
  if (++arrived == expected)
    end();
}

#define UNIT(id)                                                                                   \
  extern const char __fatbinwrap##id[] __attribute__((weak, visibility("hidden")));                \
  __attribute__((visibility("hidden"))) void __cudaRegisterLinkedBinary##id(                       \
      void (*unit)(void **), void *code, void *name, void (*use)(void *)) {                        \
    (void)code, (void)name, (void)use;                                                             \
    register_unit(unit);                                                                           \
  }
#define COUNT(id) expected += __fatbinwrap##id != 0;
WEFT_UNITS

static void register_entry(const struct entry *one) {
  if (one->kind != CUDA)
    return;
  if (one->size != 0 && (one->flags & TYPE) == MANAGED)
    __cudaRegisterManagedVar(image, (void **)one->auxiliary, one->address, one->name, one->size,
                             (unsigned)one->data);
  else
    register_one(one->address, one->name, one->size, one->flags);
}

__attribute__((constructor(101))) static void register_all(void) {
  image = __cudaRegisterFatBinary(&record);
  for (const struct entry *one = __start_llvm_offload_entries; one != __stop_llvm_offload_entries;
       ++one)
    register_entry(one);
  for (const char *at = __start_cuda_offloading_entries; at != __stop_cuda_offloading_entries;) {
    const struct early_entry *early = (const void *)at;
    // The early form begins with an address, the later one with zeros.
    if (early->address != 0) {
      register_one(early->address, early->name, early->size, early->flags);
      at += sizeof *early;
    } else {
      register_entry((const void *)at);
      at += sizeof(struct entry);
    }
  }
  atexit(unregister);
  WEFT_COUNTS
  if (expected == 0)
    end();
}
