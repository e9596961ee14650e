//! Settings of a build.

/// Options that may differ between two builds of a program.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// More options for the compilers of CUDA units, which nvcc and clang both take.
    pub compile_options: Vec<String>,
    /// More options for nvcc alone, such as `--extended-lambda`, which clang does not need.
    pub nvcc_options: Vec<String>,
    /// More options for `backend-job codegen`, such as `--inline-model=llvm`.
    pub codegen_options: Vec<String>,
    /// More options for `thinlink`, such as `--threads=1`.
    pub thinlink_options: Vec<String>,
    /// File of feedback that the thin link gets, relative to the program's folder.
    pub feedback: Option<String>,
    /// Number of jobs of [`Variant::Full`](crate::Variant::Full), 1 if there is none.
    pub full_jobs: Option<usize>,
    /// Sources of results for Weft's steps, such as `--remote-cache=URL`. Without any, every result
    /// is made by the build itself.
    pub execution_options: Vec<String>,
    /// Whether the codegen phase writes reports:
    /// [`codegen_reports`](crate::Program::codegen_reports).
    pub reports: bool,
    /// Whether the three phases of each module write their processor time:
    /// [`job_seconds`](crate::Program::job_seconds).
    pub job_times: bool,
    /// Whether the steps of the CUDA units and of the device link write what they use:
    /// [`measured_steps`](crate::Program::measured_steps).
    pub usage: bool,
    /// Whether the summaries are named to `thinlink` in the opposite order.
    pub summaries_reversed: bool,
    /// Whether modules have the paths of their objects as ids, as `weft link` gives them.
    pub ids_of_objects: bool,
}
