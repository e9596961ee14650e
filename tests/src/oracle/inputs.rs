//! A compiled program, as a device link takes it.

/// The content of a link's file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkInputKind {
    /// An object or device bitcode that Weft compiles. One without device code has host code alone.
    #[default]
    Object,
    /// An archive of such objects. All members take part in both links.
    Archive,
    /// Device code that no link compiles: an object of nvcc, a cubin, or an archive of these. Both
    /// links take it as it is.
    Opaque,
}

/// A file of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkInput {
    /// Its path below the workbench's folder.
    pub path: String,
    /// Content of the file.
    pub kind: LinkInputKind,
    /// The module id that the build gives it. Members of archives get theirs from `summarize`.
    pub module_id: String,
}

/// A program to be linked twice, with the facts that a build knows and those that its author
/// states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkInputs {
    /// Objects and archives, in link order.
    pub files: Vec<LinkInput>,
    /// Further options of `summarize`, for each file.
    pub summarize: Vec<String>,
    /// Further options of `thinlink`, after `--has-global-host-info`.
    pub thinlink: Vec<String>,
    /// Further options of the codegen phase.
    pub codegen: Vec<String>,
    /// Symbols of kernels that the program's author knows to be launched by host code, or whose
    /// addresses host code hands on. Weft's image must hold them, whatever Weft takes to be dead.
    pub launched: Vec<String>,
    /// Symbols of variables that host code reads, writes or takes the address of.
    pub touched: Vec<String>,
    /// Symbols of kernels that nothing refers to, as the program's author knows. Weft's image must not
    /// hold them.
    pub removed: Vec<String>,
    /// Text of the message by which Weft must refuse the program, where it may not link it.
    pub refused: Option<String>,
}
