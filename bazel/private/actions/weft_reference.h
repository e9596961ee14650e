/* Host code of every CUDA unit whose device code Weft links includes this header first.
 *
 * A program whose build does not know of Weft would link such a unit without an error, and then
 * lack all of its kernels. So the unit refers to a symbol that is defined only where Weft links a
 * program, and whose name serves as the linker's message. A build may define the name as
 * WEFT_UNIT, to have a symbol of its own for each unit. The symbol is hidden: a shared library
 * that defines it does not define it for a program, as each linked file has an image of its own.
 *
 * The reference is relative to its own address, so that the loader has nothing to do, and it is in
 * a section that linkers keep when they drop unreferenced sections.
 */
#if defined(__ELF__) && !defined(__CUDA_ARCH__)
#ifndef WEFT_UNIT
#define WEFT_UNIT "weft_did_not_link_the_device_code_of_this_program"
#endif
__asm__(".pushsection .weft.image,\"aR\",%progbits\n\t"
        ".hidden \"" WEFT_UNIT "\"\n\t"
        ".p2align 2\n\t"
        ".long \"" WEFT_UNIT "\" - .\n\t"
        ".popsection");
#undef WEFT_UNIT
#endif
