/* Included in front of the host side of every CUDA unit that Weft is to link the device code of.
 *
 * A program whose build does not know of Weft links such a unit without a message, and then lacks
 * the unit's kernels. So the unit refers to a symbol that is defined only where Weft links a
 * program, and whose name is the linker's message otherwise. The symbol is hidden: a shared library
 * that has the symbol gives it to no program, as each linked file has an image of its own.
 *
 * The reference is relative to its place, so that the loader has nothing to do. Its section is one
 * that linkers keep when they drop sections without references.
 */
#if defined(__ELF__) && !defined(__CUDA_ARCH__)
__asm__(".pushsection .weft.image,\"aR\",%progbits\n\t"
        ".hidden weft_did_not_link_the_device_code_of_this_program\n\t"
        ".p2align 2\n\t"
        ".long weft_did_not_link_the_device_code_of_this_program - .\n\t"
        ".popsection");
#endif
