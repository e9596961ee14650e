//! What a build may be told beyond which program it builds.

/// What may differ between two builds that have to give the same bytes, or what a test tries.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// More options for the compilers of CUDA units, which nvcc and clang both take.
    pub compile_options: Vec<String>,
    /// More options for nvcc alone, such as `--extended-lambda`, which clang does without.
    pub nvcc_options: Vec<String>,
    /// More options for `backend-job codegen`, such as `--inline-model=llvm`.
    pub codegen_options: Vec<String>,
    /// More options for `thinlink`, such as `--threads=1`.
    pub thinlink_options: Vec<String>,
    /// Where Weft's steps may take results from, such as `--remote-cache=URL`. Without any, what is
    /// measured and what a job re-runs comes from no earlier build.
    pub execution_options: Vec<String>,
    /// Have the codegen phase write reports: [`codegen_reports`](super::Program::codegen_reports).
    pub reports: bool,
    /// Have the three phases of each module write what processor time they took:
    /// [`job_seconds`](super::Program::job_seconds).
    pub job_times: bool,
    /// Name the summaries to `thinlink` in the opposite order.
    pub summaries_reversed: bool,
}
