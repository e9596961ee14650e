//! The device link: from the inputs of the host link to the image.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use weft_action::Settings;
use weft_artifact::{Artifact as _, Manifest, ManifestModule, Plan, digest};
use weft_cli::{Blame as _, Fault, files};
use weft_workers::Workers;

use super::all::all;
use super::arguments::LinkArguments;
use super::host_link::HostLink;
use super::inputs::{self, Input, Owners};
use super::kept::{Facts, Keeper, KeptStep};
use super::libraries::SYSTEM_FOLDERS;
use super::modules::Modules;
use super::run::Step;
use super::tools::Tools;

/// Name of the fat binary in the folder of the link.
pub(super) const FATBIN: &str = "image.fatbin";
/// Name of the linked image in the folder of its architecture.
pub(super) const IMAGE: &str = "image.cubin";
/// Name of the list of the jobs' reports in the folder of their architecture.
pub(super) const REPORTS: &str = "reports.tsv";
/// Name of a manifest in the folder of its architecture.
pub(super) const MANIFEST: &str = "plans/manifest.json";

/// Prefixes of CUDA's own shared libraries, whose images no other code calls into.
const OF_CUDA: [&str; 2] = ["libcu", "libnv"];

/// The facts that all steps know.
pub(super) struct DeviceLink<'a> {
    pub(super) arguments: &'a LinkArguments,
    pub(super) tools: &'a Tools,
    /// Caches and servers of the link and of its steps.
    pub(super) settings: &'a Settings,
    pub(super) host: &'a HostLink,
    pub(super) inputs: &'a [Input],
    /// Names of host symbols that the host linker hides, in order.
    pub(super) hidden: &'a [String],
    /// Folder of the files between the steps.
    pub(super) folder: &'a Path,
    pub(super) workers: &'a Workers,
}

/// The results of the device link.
#[derive(Debug)]
pub(super) struct Linked {
    pub(super) fatbin: PathBuf,
    pub(super) manifests: Vec<PathBuf>,
}

impl DeviceLink<'_> {
    /// Makes the fat binary with an image for each architecture, in the folder, and a manifest for
    /// each. Returns the messages of the steps, and reports progress meanwhile. If a step fails,
    /// the messages of the others are printed, as they may tell why.
    pub(super) fn run(&self, keeper: &Keeper<'_>) -> anyhow::Result<String> {
        let mut messages = String::new();
        let made = self.make(&mut messages, keeper);
        if made.is_err() {
            files::say(&messages);
        }
        made.map(|()| messages)
    }

    fn make(&self, messages: &mut String, keeper: &Keeper<'_>) -> anyhow::Result<()> {
        let mut images = Vec::new();
        let (architectures, notes) = inputs::architectures(self.inputs);
        messages.extend(notes.iter().map(|note| format!("weft: note: {note}\n")));
        for architecture in architectures {
            let folder = self.folder.join(architecture);
            std::fs::create_dir_all(&folder)
                .blame(Fault::Environment, || folder.display().to_string())?;
            let manifest = self.plans(architecture, &folder, messages, keeper)?;
            let cubins = self.jobs(&manifest, &folder, messages, keeper)?;
            images.push((
                architecture,
                self.image(architecture, &folder, &cubins, messages, keeper)?,
            ));
        }
        let fatbin = self.folder.join(FATBIN);
        let mut arguments = vec![format!("--create={}", fatbin.display()), "-64".to_owned()];
        arguments.extend(images.iter().map(|(architecture, image)| {
            let number = architecture.trim_start_matches("sm_");
            format!("--image3=kind=elf,sm={number},file={}", image.display())
        }));
        let given: Vec<String> = self.arguments.of_step("fatbinary").collect();
        if !given.iter().any(|option| option.contains("compress")) {
            arguments.push("--compress-all".to_owned());
        }
        arguments.extend(given);
        *messages += &keeper.run(&self.step("fatbinary", &self.tools.fatbinary, arguments))?;
        Ok(())
    }

    /// Returns everything that decides the result besides the contents of files, as arguments.
    pub(super) fn declared(&self) -> Vec<String> {
        let mut arguments = self.arguments.declared();
        arguments.extend(self.is_partial().then(|| "--partial".to_owned()));
        arguments.extend(self.host.is_shared.then(|| "--shared".to_owned()));
        if !self.hidden.is_empty() {
            arguments.push(format!("--hidden={}", digest(self.hidden.join("\n").as_bytes())));
        }
        let archives = self.inputs.iter().filter(|input| input.is_archive);
        arguments.extend(archives.map(|archive| format!("--archive={}", archive.module_id)));
        arguments.extend(self.host.renames.iter().map(|option| format!("--rename={option}")));
        arguments.extend(self.shared_libraries());
        arguments
    }

    /// Returns an option of thinlink for each shared library with code of the user's, for messages.
    fn shared_libraries(&self) -> impl Iterator<Item = String> {
        let is_of_system =
            |path: &Path| SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder));
        let libraries = self.host.shared_libraries().filter(move |path| !is_of_system(path));
        let names = libraries.filter_map(|path| Some(path.file_name()?.to_string_lossy()));
        let names = names.filter(|name| !OF_CUDA.iter().any(|start| name.starts_with(start)));
        names.map(|name| format!("--shared-library={name}"))
    }

    /// Returns the options that keep messages about caches and servers out of a step's result, and
    /// have a server that is down reported once in a link.
    fn own_options(&self) -> impl Iterator<Item = String> {
        let remote = self.settings.remote.as_ref();
        let invocation = remote.map(|remote| {
            let id = &remote.client.invocation.id;
            ["--remote-invocation".to_owned(), id.clone()]
        });
        std::iter::once("--notices-on-stdout".to_owned()).chain(invocation.into_iter().flatten())
    }

    fn step(&self, what: &str, program: &str, arguments: Vec<String>) -> Step {
        let what = format!("{what} of {}", self.host.output.display());
        Step { what, program: program.to_owned(), arguments, work: 1 }
    }

    /// Makes all summaries and the plans for one architecture.
    fn plans(
        &self,
        architecture: &str,
        folder: &Path,
        messages: &mut String,
        keeper: &Keeper<'_>,
    ) -> anyhow::Result<Manifest> {
        let place = |number: usize| text(&folder.join(format!("{number}.summary")));
        let summarize = |(number, input): (usize, &Input)| {
            let mut common = vec![format!("--module-id={}", input.module_id)];
            let is_for = !input.architectures.is_empty();
            common.extend(is_for.then(|| format!("--arch={architecture}")));
            common.extend(self.arguments.of_step("summarize"));
            let nvlink = ["--nvlink".to_owned(), self.tools.nvlink.clone()];
            let files = ["-o".to_owned(), place(number), text(&input.path)];
            let step = Step {
                what: format!("summarize of {}", input.path.display()),
                program: self.tools.summarize.clone(),
                arguments: common
                    .iter()
                    .cloned()
                    .chain(self.own_options())
                    .chain(nvlink)
                    .chain(files)
                    .collect(),
                work: 1,
            };
            let facts = Facts {
                subject: format!("summarize {}", input.module_id),
                arguments: std::iter::once("summarize".to_owned()).chain(common).collect(),
                inputs: vec![("unit".to_owned(), input.digest)],
                output: "unit.summary",
                path: place(number).into(),
            };
            KeptStep { step, facts: Some(facts) }
        };
        let steps: Vec<KeptStep> = self.inputs.iter().enumerate().map(summarize).collect();
        all(&steps, self.workers, keeper, messages)?;

        let mut lists = vec![
            ("summaries.rsp", (0..self.inputs.len()).map(place).collect::<Vec<_>>()),
            ("link-order.txt", self.ids(|_| true)),
        ];
        let members = self.ids(|input| input.is_archive);
        // An option may make the linker take other members, and then none may be left out.
        let leaves_out = !members.is_empty() && !self.is_partial();
        if leaves_out {
            lists.push(("archive-members.txt", members));
        }
        let hides = !self.hidden.is_empty() && !self.is_partial();
        if hides {
            lists.push(("hidden-host-symbols.txt", self.hidden.to_vec()));
        }
        for (name, lines) in lists {
            let content = lines.join("\n") + "\n";
            files::write(&folder.join(name), content.as_bytes())?;
        }
        let list = |name: &str| text(&folder.join(name));
        let mut arguments = vec!["-o".to_owned(), list("plans")];
        if !self.is_partial() {
            arguments.push("--has-global-host-info".to_owned());
            arguments.extend(self.host.is_shared.then(|| "--exports-host-symbols".to_owned()));
        }
        if hides {
            let file = list("hidden-host-symbols.txt");
            arguments.extend(["--hidden-host-symbols".to_owned(), file]);
        }
        if leaves_out {
            arguments.extend(["--archive-members".to_owned(), list("archive-members.txt")]);
        }
        arguments.extend(["--link-order".to_owned(), list("link-order.txt")]);
        let renames = self.host.renames.iter();
        arguments.extend(renames.map(|option| format!("--host-link-option={option}")));
        arguments.extend(self.shared_libraries());
        arguments.extend(self.own_options());
        arguments.extend(self.arguments.of_step("thinlink"));
        arguments.push(format!("@{}", list("summaries.rsp")));
        let step = self.step("thinlink", &self.tools.thinlink, arguments);
        let inputs = self.inputs.iter().enumerate();
        let names = inputs.map(|(number, input)| (place(number), text(&input.path)));
        *messages += &keeper.run_about(&step, &names.collect::<Vec<_>>())?;
        weft_cli::manifest(&folder.join(MANIFEST))
    }

    /// Whether host code of the linked file that is not among the inputs may launch kernels: that
    /// of sources that the command compiles.
    fn is_partial(&self) -> bool {
        self.host.has_sources
    }

    /// Returns the ids of the inputs that `is_listed` accepts, in the order of the link.
    fn ids(&self, is_listed: impl Fn(&Input) -> bool) -> Vec<String> {
        let inputs = self.inputs.iter().filter(|input| is_listed(input));
        inputs.map(|input| input.module_id.to_string()).collect()
    }

    /// Runs the jobs of all modules that emit something, the longest first. Returns their cubins,
    /// each with the position of its input.
    fn jobs(
        &self,
        manifest: &Manifest,
        folder: &Path,
        messages: &mut String,
        keeper: &Keeper<'_>,
    ) -> anyhow::Result<Vec<(usize, PathBuf)>> {
        let mut map = String::new();
        let owners = Owners::of(self.inputs);
        for module in &manifest.modules {
            let input = &self.inputs[owners.position(&module.module_id)?];
            // Writing to a String cannot fail.
            let _ = writeln!(map, "{}\t{}", module.module_id, input.path.display());
        }
        let map_file = folder.join("modules.tsv");
        files::write(&map_file, map.as_bytes())?;
        let mut jobs: Vec<(usize, &ManifestModule)> =
            manifest.modules.iter().enumerate().filter(|(_, module)| module.emits_code).collect();
        jobs.sort_by_key(|(number, module)| (std::cmp::Reverse(module.estimated_cost), *number));
        // For a report every job has to run.
        let is_kept = keeper.keeps() && self.arguments.report.is_none();
        let modules =
            is_kept.then(|| Modules::read(self.inputs, &manifest.architecture, self.workers));
        let modules = modules.transpose()?;
        // The cache would have each job know what ptxas takes.
        let newest_ptx = (!keeper.keeps() && !jobs.is_empty())
            .then(|| weft_job::newest_ptx(Path::new(&self.tools.ptxas), None))
            .flatten();
        let newest_ptx: Vec<String> =
            newest_ptx.map(|version| format!("--newest-ptx={version}")).into_iter().collect();
        let (mut steps, mut cubins, mut reports) = (Vec::new(), Vec::new(), String::new());
        for (number, module) in jobs {
            let position = owners.position(&module.module_id)?;
            let cubin = folder.join(format!("{number}.cubin"));
            let plan = folder.join("plans").join(&module.plan);
            let mut arguments = vec!["run".to_owned(), "--emit".to_owned(), "cubin".to_owned()];
            for (option, value) in [
                ("--ptxas", self.tools.ptxas.clone()),
                ("--nvlink", self.tools.nvlink.clone()),
                ("--plan", text(&plan)),
                ("--module", text(&self.inputs[position].path)),
                ("--module-map", text(&map_file)),
                ("-o", text(&cubin)),
            ] {
                arguments.extend([option.to_owned(), value]);
            }
            if self.arguments.report.is_some() {
                let report = folder.join(format!("{number}.report.json"));
                // Writing to a String cannot fail.
                let _ = writeln!(reports, "{}\t{}", module.module_id, report.display());
                arguments.extend(["--report".to_owned(), text(&report)]);
            }
            arguments.extend(self.own_options());
            arguments.extend(newest_ptx.iter().cloned());
            arguments.extend(self.arguments.of_step("run"));
            let step = Step {
                what: format!("the job of {}", module.module_id),
                program: self.tools.backend_job.clone(),
                arguments,
                work: module.estimated_cost,
            };
            let facts = modules.as_ref().map(|modules| self.facts_of_job(modules, &plan, &cubin));
            let facts = facts.transpose()?.flatten();
            steps.push(KeptStep { step, facts });
            cubins.push((number, position, cubin));
        }
        all(&steps, self.workers, keeper, messages)?;
        if self.arguments.report.is_some() {
            files::write(&folder.join(REPORTS), reports.as_bytes())?;
        }
        cubins.sort();
        Ok(cubins.into_iter().map(|(_, position, cubin)| (position, cubin)).collect())
    }

    /// Returns everything that the cubin of the job of `plan`, a file, depends on; `None` if a
    /// module is missing, which the job reports.
    fn facts_of_job(
        &self,
        modules: &Modules,
        plan: &Path,
        cubin: &Path,
    ) -> anyhow::Result<Option<Facts>> {
        let content = files::read(plan)?;
        let read = Plan::decode(&content).blame(Fault::Tool, || plan.display().to_string())?;
        let Some(mut inputs) = modules.of_job(&read) else { return Ok(None) };
        inputs.push(("module.plan".to_owned(), digest(&content)));
        let arguments = ["run".to_owned()].into_iter().chain(self.arguments.of_step("run"));
        Ok(Some(Facts {
            subject: format!("run {}", read.module_id),
            arguments: arguments.collect(),
            inputs,
            output: "module.cubin",
            path: cubin.to_owned(),
        }))
    }

    /// Links the cubins of an architecture, each in the place of its input, and opaque code.
    fn image(
        &self,
        architecture: &str,
        folder: &Path,
        cubins: &[(usize, PathBuf)],
        messages: &mut String,
        keeper: &Keeper<'_>,
    ) -> anyhow::Result<PathBuf> {
        let mut list = String::new();
        let mut add = |path: &Path| {
            // nvlink splits the file at spaces.
            let _ = writeln!(list, "\"{}\"", path.display());
        };
        for (position, input) in self.inputs.iter().enumerate() {
            cubins.iter().filter(|(of, _)| *of == position).for_each(|(_, cubin)| add(cubin));
            if input.is_opaque {
                add(&input.path);
            }
        }
        if let Some(runtime) = &self.tools.device_runtime {
            add(Path::new(runtime));
        }
        let list_file = folder.join("cubins.rsp");
        files::write(&list_file, list.as_bytes())?;
        let image = folder.join(IMAGE);
        let mut arguments = vec![format!("-arch={architecture}")];
        arguments.extend(["--options-file".to_owned(), text(&list_file)]);
        arguments.extend(self.arguments.of_step("nvlink"));
        arguments.extend(["-o".to_owned(), text(&image)]);
        let step = self.step("nvlink", &self.tools.nvlink, arguments);
        let name = |position: usize| text(&self.inputs[position].path);
        let names = cubins.iter().map(|(position, cubin)| (text(cubin), name(*position)));
        *messages += &keeper.run_about(&step, &names.collect::<Vec<_>>())?;
        Ok(image)
    }
}

/// Returns a path as an argument.
pub(super) fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
