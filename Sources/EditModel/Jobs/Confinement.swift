package import Basics

/// The confinement of a helper's process, as far as the kernel gives it.
package struct ConfinementState: Codable, Hashable, Sendable {
  /// True if no program that it might run could have more rights than it has (`PR_SET_NO_NEW_PRIVS`).
  package var isWithoutNewPrivileges = false
  /// True if of an administrator's rights it has those alone by which files are read and written.
  package var isWithoutCapabilities = false
  /// The version of Landlock's interface; 0 where files are not confined.
  package var landlock = 0
  /// The number of system calls that it may use; 0 where all of them are open to it.
  package var allowedCalls = 0
  /// The limits that hold; nil where none could be set.
  package var limits: WorkLimits?

  /// Nothing is confined.
  package init() {}
}

extension ConfinementState {
  /// The argument by which a helper is told to open files only behind Landlock and seccomp.
  package static let requirement = "--require-sandbox"

  /// A sentence about the parts of the sandbox that the system lacks, and what that means; nil where it lacks neither Landlock nor
  /// seccomp filters.
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

  /// Makes sure that the system has Landlock and seccomp filters.
  ///
  /// - Throws: ``EditError`` when it lacks one of them.
  package func checkIsComplete() throws(EditError) {
    let problem: Message
    switch (landlock > 0, allowedCalls > 0) {
    case (true, true): return
    case (false, true):
      problem = "this system does not support Landlock, which the setting sandbox requires"
    case (true, false):
      problem = "this system does not support seccomp filters, which the setting sandbox requires"
    case (false, false):
      problem =
        "this system supports neither Landlock nor seccomp filters, which the setting sandbox requires"
    }
    throw EditError(.renderer, problem, remedy: "use another kernel, or set sandbox = optional")
  }
}

/// The files that a helper needs for a job.
package struct ConfinedFiles: Hashable, Sendable {
  /// Paths of files that are read.
  package var read: [String]
  /// Paths of folders in which files are read.
  package var readFolders: [String]
  /// Paths of folders in which files are made, written, read again and removed.
  package var writtenFolders: [String]

  /// - Parameters:
  ///   - read: files that are read.
  ///   - readFolders: folders in which files are read.
  ///   - writtenFolders: folders in which files are made.
  package init(read: [String] = [], readFolders: [String] = [], writtenFolders: [String] = []) {
    (self.read, self.readFolders, self.writtenFolders) = (read, readFolders, writtenFolders)
  }
}

extension HelperJob {
  /// Paths of the files that it reads.
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

  /// True if it draws letters, for which fonts are read.
  package var drawsText: Bool {
    if case .convert(.sheet) = self { true } else { false }
  }
}
