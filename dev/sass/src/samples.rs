//! Disassemblies for tests.

/// Output of `nvdisasm -c -hex` for a kernel with two loops, one in the other, and for the slow
/// path of a square root that the inner loop calls; spaces are squeezed.
pub(super) const NESTED_LOOPS: &str = include_str!("samples/nested_loops.sass");

/// A kernel with a function behind it, and a function alone.
pub(super) const SAMPLE: &str = "
\t.target\tsm_90
//--------------------- .text.kernel --------------------------
\t.section\t.text.kernel,\"ax\",@progbits
\t.align\t128
        .global         kernel
        .type           kernel,@function
        .size           kernel,(.L_x_2 - kernel)
        .other          kernel,@\"STO_CUDA_ENTRY STV_DEFAULT\"
kernel:
.text.kernel:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/              @!P0 STL.64 [R1], R4 ;
        /*0020*/                   CALL.REL.NOINC `($kernel$inner) ;
        /*0030*/                   CALL.REL.NOINC R8 `(kernel) ;
.L_x_0:
        /*0040*/               @P0 CALL.ABS.NOINC `(alone) ;
        /*0050*/                   EXIT ;
        .type           $kernel$inner,@function
        .size           $kernel$inner,(.L_x_2 - $kernel$inner)
$kernel$inner:
        /*0060*/                   LDL R4, [R1+0x8] ;
        /*0070*/                   LDL.LU R4, [R1] ;
        /*0080*/                   RET.REL.NODEC R4 `(kernel) ;
        .type           $kernel$taken,@function
$kernel$taken:
        /*0090*/                   RET.REL.NODEC R4 `(kernel) ;
\t.section\t.text.alone,\"ax\",@progbits
        .type           alone,@function
        .other          alone,@\"STO_CUDA_OBSCURE STV_DEFAULT\"
alone:
.text.alone:
        /*0000*/                   CALL.ABS.NOINC R18 ;
\t.section\t.text.taken,\"ax\",@progbits
        .weak           taken
        .type           taken,@function
taken:
        /*0000*/                   STL [R1], R0 ;
";
