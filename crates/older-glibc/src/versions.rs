//! Functions of glibc that were replaced by newer versions after [`OLDEST`](crate::OLDEST).

/// Functions with the version that is bound instead of the newest one: the first one of the
/// function on x86-64.
pub(crate) const OLDER: &[(&str, &str)] = &[
    ("dlclose", "GLIBC_2.2.5"),
    ("dlerror", "GLIBC_2.2.5"),
    ("dlopen", "GLIBC_2.2.5"),
    ("dlsym", "GLIBC_2.2.5"),
    ("exp", "GLIBC_2.2.5"),
    ("exp2", "GLIBC_2.2.5"),
    ("log", "GLIBC_2.2.5"),
    ("log2", "GLIBC_2.2.5"),
    ("pow", "GLIBC_2.2.5"),
    ("pthread_attr_getguardsize", "GLIBC_2.2.5"),
    ("pthread_attr_getstack", "GLIBC_2.2.5"),
    ("pthread_attr_setstacksize", "GLIBC_2.2.5"),
    ("pthread_create", "GLIBC_2.2.5"),
    ("pthread_detach", "GLIBC_2.2.5"),
    ("pthread_getattr_np", "GLIBC_2.2.5"),
    ("pthread_getname_np", "GLIBC_2.12"),
    ("pthread_join", "GLIBC_2.2.5"),
    ("pthread_key_create", "GLIBC_2.2.5"),
    ("pthread_key_delete", "GLIBC_2.2.5"),
    ("pthread_kill", "GLIBC_2.2.5"),
    ("pthread_once", "GLIBC_2.2.5"),
    ("pthread_rwlock_rdlock", "GLIBC_2.2.5"),
    ("pthread_rwlock_unlock", "GLIBC_2.2.5"),
    ("pthread_rwlock_wrlock", "GLIBC_2.2.5"),
    ("pthread_setname_np", "GLIBC_2.12"),
    ("pthread_setspecific", "GLIBC_2.2.5"),
    ("pthread_sigmask", "GLIBC_2.2.5"),
];

/// Functions and variables that `functions.c` has instead of glibc's. The first one is asked for
/// by Rust's library, which does without where it is missing, as it is here.
pub(crate) const REPLACED: &[&str] = &[
    "posix_spawn_file_actions_addchdir_np",
    "__libc_single_threaded",
    "__libc_start_main",
    "arc4random",
    "fstat",
    "fstat64",
    "fstatat",
    "fstatat64",
    "gettid",
    "lstat",
    "lstat64",
    "mallinfo2",
    "stat",
    "stat64",
];

/// Returns the text that makes GCC pass two libraries to the linker before all others.
///
/// glibc before 2.34 has threads and dynamic loading in separate libraries, which later versions
/// keep for programs such as this one. The linker notes that the functions are in the C library, as
/// they are now. An older loader takes them from another library, but only from one that it looks
/// into before the C library, and arguments from a build script come after it.
pub(crate) fn specs() -> &'static str {
    "%rename link link_of_gcc\n\n\
     *link:\n\
     --push-state --no-as-needed -l:libpthread.so.0 -l:libdl.so.2 --pop-state %(link_of_gcc)\n"
}

/// Returns an assembler source in which each function `__wrap_NAME` goes on in the older version of
/// `NAME`.
pub(crate) fn assembly() -> String {
    let functions = OLDER.iter().map(|(name, version)| {
        format!(
            "\t.symver older_{name}, {name}@{version}\n\
             \t.globl __wrap_{name}\n\
             \t.hidden __wrap_{name}\n\
             \t.type __wrap_{name}, @function\n\
             __wrap_{name}:\n\
             \tjmp *older_{name}@GOTPCREL(%rip)\n\
             \t.size __wrap_{name}, .-__wrap_{name}\n"
        )
    });
    let functions = functions.collect::<Vec<_>>().concat();
    format!("\t.text\n{functions}\t.section .note.GNU-stack,\"\",@progbits\n")
}
