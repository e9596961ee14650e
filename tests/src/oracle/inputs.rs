//! A compiled program in the form that a device link takes.

/// Content of a linked file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkInputKind {
    /// An object or device bitcode that Weft compiles. An object without device code has host code
    /// alone.
    #[default]
    Object,
    /// An archive of such objects. All members take part in both links.
    Archive,
    /// Device code that no link compiles: an object of nvcc, a cubin, or an archive of these. Both
    /// links take it unchanged.
    Opaque,
}

/// A file of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkInput {
    /// Path below the workbench's folder.
    pub path: String,
    /// Content of the file.
    pub kind: LinkInputKind,
    /// Module id that the build gives the file. Members of archives get theirs from `summarize`.
    pub module_id: String,
}

/// A program to be linked twice, with the facts that a build knows and the facts that its author
/// states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkInputs {
    /// Objects and archives, in link order.
    pub files: Vec<LinkInput>,
    /// Whether nvcc compiled the units, to PTX and LTO IR. The plain link takes the PTX.
    pub by_nvcc: bool,
    /// Additional options of `summarize`, for each file.
    pub summarize: Vec<String>,
    /// Additional options of `thinlink`, after `--has-global-host-info`.
    pub thinlink: Vec<String>,
    /// Additional options of the codegen and assemble phases.
    pub job: Vec<String>,
    /// Number of partitions into which each module is split; 0 leaves modules whole.
    pub split: usize,
    /// Symbols of kernels that host code launches or passes by address, as the program's author
    /// states. Weft's image must hold them, even if Weft's analysis finds no use.
    pub launched: Vec<String>,
    /// Symbols of variables that host code reads, writes or takes the address of.
    pub touched: Vec<String>,
    /// Symbols of kernels that nothing refers to, as the program's author states. Weft's image must
    /// not hold them.
    pub removed: Vec<String>,
    /// Text of the message with which Weft must refuse the program; `None` if Weft must link it.
    pub refused: Option<String>,
}
