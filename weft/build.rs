//! Links the executable so that it runs with an older glibc than that of the build.

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    weft_older_glibc::link()
}
