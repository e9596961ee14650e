//! The products of a job, and the files for them.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use weft_cli::{Fault, failure};
use weft_device_ir::Wanted;

use crate::outputs::names_part;

/// A product of the whole job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Product {
    /// The linked module, before optimization
    Linked,
    /// The optimized module, as LLVM bitcode
    Bc,
    /// PTX
    Ptx,
    /// A relocatable cubin
    Cubin,
}

/// A product of the codegen phase.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum CodegenProduct {
    /// The optimized module, as LLVM bitcode
    Bc,
    /// PTX
    Ptx,
}

impl From<CodegenProduct> for Product {
    fn from(product: CodegenProduct) -> Self {
        match product {
            CodegenProduct::Bc => Self::Bc,
            CodegenProduct::Ptx => Self::Ptx,
        }
    }
}

impl Product {
    /// Returns the extension of the product's file. It is `opt.bc` for bitcode, because builds keep
    /// the unit's own bitcode in `a.bc` beside `a.cubin`.
    fn extension(self) -> &'static str {
        match self {
            Self::Linked => "linked.bc",
            Self::Bc => "opt.bc",
            Self::Ptx => "ptx",
            Self::Cubin => "cubin",
        }
    }
}

/// The requested products and the file for each, in the order of the phases.
#[derive(Debug)]
pub(crate) struct Emission(Vec<(Product, PathBuf)>);

impl Emission {
    /// Assigns files to the `products` of the command line, given the file that `-o` names.
    pub(crate) fn new(products: impl IntoIterator<Item = Product>, output: &Path) -> Self {
        let mut products: Vec<_> = products.into_iter().collect();
        products.sort_unstable();
        products.dedup();
        let alone = products.len() == 1;
        let file = |product: Product| {
            if alone { output.to_owned() } else { output.with_extension(product.extension()) }
        };
        Self(products.into_iter().map(|product| (product, file(product))).collect())
    }

    /// Returns the names of all files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(|(_, file)| file.as_path())
    }

    /// Refuses products of the whole module whose files are named like those of partitions.
    pub(crate) fn check_split(&self) -> anyhow::Result<()> {
        let of_the_whole = |entry: &&(Product, PathBuf)| {
            matches!(entry.0, Product::Linked | Product::Bc) && names_part(&entry.1)
        };
        match self.0.iter().find(of_the_whole) {
            None => Ok(()),
            Some((_, file)) => Err(failure(
                Fault::Usage,
                format!(
                    "the linked and the optimised module are never split: leave {{part}} out of \
                     the name '{}', or ask for them in a run of their own",
                    file.display()
                ),
            )),
        }
    }

    /// Returns the file for `product`, if it is requested.
    pub(crate) fn file(&self, product: Product) -> Option<&Path> {
        self.0.iter().find(|(known, _)| *known == product).map(|(_, file)| file.as_path())
    }

    /// Returns the products that the codegen phase must make. A cubin needs PTX.
    pub(crate) fn of_codegen(&self) -> Wanted {
        let has = |product| self.file(product).is_some();
        Wanted { optimized: has(Product::Bc), ptx: has(Product::Ptx) || has(Product::Cubin) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_product_goes_to_the_output_and_several_beside_it() {
        let alone = Emission::new([Product::Bc, Product::Bc], Path::new("out/a.x"));
        assert_eq!(alone.file(Product::Bc), Some(Path::new("out/a.x")));
        assert_eq!(alone.file(Product::Ptx), None);
        assert_eq!(alone.of_codegen(), Wanted { optimized: true, ptx: false });

        let all = [Product::Cubin, Product::Ptx, Product::Bc, Product::Linked];
        let all = Emission::new(all, Path::new("out/a.cu.cubin"));
        for (product, name) in [
            (Product::Linked, "out/a.cu.linked.bc"),
            (Product::Bc, "out/a.cu.opt.bc"),
            (Product::Ptx, "out/a.cu.ptx"),
            (Product::Cubin, "out/a.cu.cubin"),
        ] {
            assert_eq!(all.file(product), Some(Path::new(name)));
        }
    }

    #[test]
    fn a_cubin_needs_ptx_that_is_not_written() {
        let cubin = Emission::new([Product::Cubin], Path::new("a.cubin"));
        assert_eq!(cubin.of_codegen(), Wanted { optimized: false, ptx: true });
        assert_eq!(cubin.file(Product::Ptx), None);
        let linked = Emission::new([Product::Linked], Path::new("a.bc"));
        assert_eq!(linked.of_codegen(), Wanted { optimized: false, ptx: false });
    }
}
