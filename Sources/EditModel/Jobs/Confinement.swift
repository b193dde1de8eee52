package import Basics

/// The confinement of the render helper's process, as enforced by the kernel.
package struct ConfinementState: Codable, Hashable, Sendable {
  /// Whether programs that the process starts cannot gain privileges that the process itself does not have
  /// (`PR_SET_NO_NEW_PRIVS`).
  package var isWithoutNewPrivileges = false
  /// Whether the process has no capabilities except those for reading and writing files.
  package var isWithoutCapabilities = false
  /// The version of the Landlock interface; 0 if access to files is not restricted.
  package var landlock = 0
  /// The number of system calls that the process may use; 0 if system calls are not restricted.
  package var allowedCalls = 0
  /// The limits in effect; nil if no limits could be set.
  package var limits: WorkLimits?

  /// Creates a state without any confinement.
  package init() {}
}

extension ConfinementState {
  /// The argument that makes the render helper open files only if Landlock and seccomp are active.
  package static let requirement = "--require-sandbox"

  /// A sentence that names the missing parts of the sandbox and the consequences; nil if the system has both Landlock
  /// and seccomp filters.
  package var warning: Message? {
    switch (landlock > 0, allowedCalls > 0) {
    case (true, true): nil
    case (false, true):
      "this system does not support Landlock: a malicious file that takes over liveedit-render could read and change your "
        + "files; with the setting sandbox = required, liveedit refuses to open files on this system"
    case (true, false):
      "this system does not support seccomp filters: a malicious file that takes over liveedit-render could use the network "
        + "and start programs; with the setting sandbox = required, liveedit refuses to open files on this system"
    case (false, false):
      "this system supports neither Landlock nor seccomp filters: a malicious file that takes over liveedit-render could do "
        + "anything that you can do; with the setting sandbox = required, liveedit refuses to open files on this system"
    }
  }

  /// Checks that the system has Landlock and seccomp filters.
  ///
  /// - Throws: ``EditError`` if either is missing.
  package func checkIsComplete() throws(EditError) {
    let problem: Message
    switch (landlock > 0, allowedCalls > 0) {
    case (true, true): return
    case (false, true):
      problem = "this system does not support Landlock, which the “sandbox” setting requires"
    case (true, false):
      problem = "this system does not support seccomp filters, which the “sandbox” setting requires"
    case (false, false):
      problem =
        "this system supports neither Landlock nor seccomp filters, which the “sandbox” setting requires"
    }
    throw EditError(.renderer, problem, remedy: "use another kernel, or set sandbox = optional")
  }
}

/// The files that the render helper needs for a job.
package struct ConfinedFiles: Hashable, Sendable {
  /// The paths of files to read.
  package var read: [String]
  /// The paths of folders that contain files to read.
  package var readFolders: [String]
  /// The paths of folders in which the job creates, reads, writes and removes files.
  package var writtenFolders: [String]

  /// - Parameters:
  ///   - read: The paths of files to read.
  ///   - readFolders: The paths of folders that contain files to read.
  ///   - writtenFolders: The paths of folders in which the job creates, reads, writes and removes files.
  package init(read: [String] = [], readFolders: [String] = [], writtenFolders: [String] = []) {
    (self.read, self.readFolders, self.writtenFolders) = (read, readFolders, writtenFolders)
  }
}

extension HelperJob {
  /// The paths of the files that the job reads.
  package var inputs: [String] {
    switch self {
    case .render(let job), .rehearse(let job):
      [job.photo?.source, job.movie?.source, job.frameSource, job.adopted?.photo, job.adopted?.picture]
        .compactMap { $0 }
    case .check(let job): [job.photo, job.movie].compactMap { $0 }
    case .propose(let job): [job.photo, job.movie].compactMap { $0 }
    case .match(let job): [job.original, job.edited, job.keyFrame?.movie].compactMap { $0 }
    case .preview(let job): [job.photo, job.movie].compactMap { $0 }
    case .convert(.stillTime(let photo, let movie)): [photo, movie]
    case .convert(.sheetPictures(let job)): Set(job.sources.map(\.path)).sorted()
    case .convert(let job): [job.source]
    case .describe: []
    }
  }

  /// Whether the job draws text and therefore reads fonts.
  package var drawsText: Bool {
    if case .convert(.sheet) = self { true } else { false }
  }
}
