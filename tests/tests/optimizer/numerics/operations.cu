// One kernel for each floating-point operation of CUDA code, so that a difference between two
// compilers is in one kernel.

#define SINGLE(name, expression)                                                                   \
  extern "C" __global__ void name(float *out, const float *in) {                                   \
    float a = in[0], b = in[1], c = in[2];                                                         \
    out[0] = (expression);                                                                         \
  }
#define DOUBLE(name, expression)                                                                   \
  extern "C" __global__ void name(double *out, const double *in) {                                 \
    double a = in[0], b = in[1], c = in[2];                                                        \
    out[0] = (expression);                                                                         \
  }

// Operators, and functions that stand for a single instruction.
SINGLE(op_sum, a + b)
SINGLE(op_difference, a - b)
SINGLE(op_product, a * b)
SINGLE(op_tiny_sum, a + 1e-40f)
SINGLE(op_quotient, a / b)
SINGLE(op_reciprocal, 1.0f / a)
SINGLE(op_negative_reciprocal, -1.0f / a)
SINGLE(op_over_a, 2.0f / a)
SINGLE(op_third, a / 3.0f)
SINGLE(op_fused, a * b + c)
SINGLE(op_fused_difference, a * b - c)
SINGLE(op_two_products, a * b + c * a)
SINGLE(op_not_fused, (a - b) * c)
SINGLE(op_root, sqrtf(a))
SINGLE(op_builtin_root, __builtin_sqrtf(a))
SINGLE(op_reciprocal_root, 1.0f / sqrtf(a))
SINGLE(op_over_root, a / sqrtf(b))
SINGLE(op_norm, sqrtf(a * a + b * b + c * c))
SINGLE(op_rsqrt, rsqrtf(a))
SINGLE(op_fma, fmaf(a, b, c))
SINGLE(op_min, fminf(a, b))
SINGLE(op_max, fmaxf(a, b))
SINGLE(op_smaller, a < b ? a : c)
SINGLE(op_fdividef, __fdividef(a, b))
SINGLE(op_fdiv_rn, __fdiv_rn(a, b))
SINGLE(op_fdiv_rz, __fdiv_rz(a, b))
SINGLE(op_frcp_rn, __frcp_rn(a))
SINGLE(op_fsqrt_rn, __fsqrt_rn(a))
SINGLE(op_fsqrt_ru, __fsqrt_ru(a))
SINGLE(op_fmaf_rn, __fmaf_rn(a, b, c))
SINGLE(op_fadd_of_fmul, __fadd_rn(__fmul_rn(a, b), c))
SINGLE(op_sinf, __sinf(a))
SINGLE(op_expf, __expf(a))
SINGLE(op_logf, __logf(a))
SINGLE(op_rint, rintf(a))
SINGLE(op_floor, floorf(a))
DOUBLE(op_dsum, a + b)
DOUBLE(op_dproduct, a * b)
DOUBLE(op_dquotient, a / b)
DOUBLE(op_dreciprocal, 1.0 / a)
DOUBLE(op_dfused, a * b + c)
DOUBLE(op_droot, sqrt(a))
DOUBLE(op_drsqrt, rsqrt(a))
DOUBLE(op_dadd_of_dmul, __dadd_rn(__dmul_rn(a, b), c))
DOUBLE(op_ddiv_rn, __ddiv_rn(a, b))

// Two statements, which nvcc fuses like a single statement.
extern "C" __global__ void op_fused_statements(float *out, const float *in) {
  float product = in[0] * in[1];
  float sum = product + in[2];
  out[0] = sum;
}

extern "C" __global__ void op_conversions(float *out, const double *in, int *count) {
  out[0] = (float)in[0];
  out[1] = (float)count[1];
  count[0] = (int)out[2];
}

// Functions of libdevice that take many instructions.
SINGLE(lib_sinf, sinf(a))
SINGLE(lib_cosf, cosf(a))
SINGLE(lib_sinf_cosf, sinf(a) * cosf(b))
SINGLE(lib_expf, expf(a))
SINGLE(lib_exp2f, exp2f(a))
SINGLE(lib_logf, logf(a))
SINGLE(lib_powf, powf(a, b))
SINGLE(lib_atan2f, atan2f(a, b))
SINGLE(lib_hypotf, hypotf(a, b))
SINGLE(lib_tanhf, tanhf(a))
SINGLE(lib_fmodf, fmodf(a, b))
SINGLE(lib_cbrtf, cbrtf(a))
SINGLE(lib_erff, erff(a))
SINGLE(lib_j0f, j0f(a))
SINGLE(lib_norm3df, norm3df(a, b, c))
SINGLE(lib_rcbrtf, rcbrtf(a))
SINGLE(lib_asinf, asinf(a))
SINGLE(lib_acosf, acosf(a))
DOUBLE(lib_dexp, exp(a))
DOUBLE(lib_dlog, log(a))
DOUBLE(lib_dsin, sin(a))
DOUBLE(lib_dpow, pow(a, b))
