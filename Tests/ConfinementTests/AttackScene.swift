import Attempts
import EditModel
import Foundation
import TestSupport
import Testing

@testable import FileSystem

/// The surroundings of an attack and its targets: files with marks that make `attacked-helper` try an attack, a folder
/// outside every job, and a listening process.
final class AttackScene {
  /// The test build of the helper.
  static let helper = TestFiles.programs.appendingPathComponent("attacked-helper").path
  /// The names of all attack attempts.
  static let attempts: [String] = {
    var names: [String] = []
    var next = attempts_all()
    while let one = next, let name = one.pointee.name {
      names.append(String(cString: name))
      next = one + 1
    }
    return names
  }()
  /// The attempts that only Landlock refuses. They succeed on a kernel without Landlock.
  static let needsLandlock: Set = [
    "read_file", "read_passwd", "read_through_link", "write_file", "make_file", "append", "remove_file",
    "list_folder", "list_root", "write_job_file", "remove_job_file", "write_beside_job_file",
    "list_job_folder", "write_fonts", "read_own_environment", "read_own_maps", "write_own_memory",
    "read_parent_environment", "list_processes", "read_kernel_settings", "load_library",
  ]

  let folder: TemporaryFolder
  private let plainPhoto: [UInt8]
  private let plainMovie: [UInt8]
  private let victim: Child
  private let port: String

  /// The folder that belongs to no job.
  var other: URL { folder.file("o") }

  init() throws {
    folder = try TemporaryFolder()
    plainPhoto = try folder.photo()
    plainMovie = [UInt8](try Data(contentsOf: TestFiles.fixture("IMG_0004.MOV")))
    for name in ["in", "out", "small", "o"] {
      try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: false)
    }
    let script = """
      import os, socket, sys, time
      inner, outer = socket.socket(socket.AF_UNIX), socket.socket()
      inner.bind(sys.argv[1] + "/door"); inner.listen(64)
      outer.bind(("127.0.0.1", 0)); outer.listen(64)
      open(sys.argv[1] + "/port.new", "w").write(str(outer.getsockname()[1]))
      os.rename(sys.argv[1] + "/port.new", sys.argv[1] + "/port")
      time.sleep(600)
      """
    victim = try Child(["python3", "-c", script, folder.file("o").path])
    let port = folder.file("o/port")
    try Event.wait(for: "somebody who listens") { FileManager.default.fileExists(atPath: port.path) }
    self.port = try String(contentsOf: port, encoding: .utf8)
    try prepare()
  }

  /// Restores the initial state of all targets.
  func prepare() throws {
    for name in ["o/new", "in/photo.jpg.new", "in/movie.mov.new"] {
      try? FileManager.default.removeItem(at: folder.file(name))
    }
    try Data("secret".utf8).write(to: folder.file("o/secret"))
  }

  /// Returns a JPEG without a mark, or with a mark in a comment.
  func photo(_ attempt: String? = nil) -> [UInt8] {
    guard let attempt else { return plainPhoto }
    let mark = self.mark(attempt)
    let (size, begin) = (mark.count + 2, 4 + Int(plainPhoto[4]) << 8 + Int(plainPhoto[5]))
    return plainPhoto[..<begin] + [0xFF, 0xFE, UInt8(size >> 8), UInt8(size & 255)] + mark
      + plainPhoto[begin...]
  }

  /// Returns a movie with a mark in a `free` atom.
  func movie(_ attempt: String) -> [UInt8] {
    let mark = self.mark(attempt)
    let size = mark.count + 8
    return plainMovie + [0, 0, UInt8(size >> 8), UInt8(size & 255)] + Array("free".utf8) + mark
  }

  private func mark(_ attempt: String) -> [UInt8] {
    Array("LIVEEDIT-ATTACK:\(attempt):\(port):\(victim.identifier):\(other.path);".utf8)
  }

  /// Runs a job whose files contain a mark.
  ///
  /// - Returns: “done”, “refused” with an error number, “killed”, or a text that no attempt produces.
  func outcome(of helper: ChildProcess, isCopy: Bool, _ attempt: String, _ kind: JobKind) throws -> String {
    try prepare()
    try folder.write(photo(attempt), to: "in/photo.jpg")
    try folder.write(movie(attempt), to: "in/movie.mov")
    let job = kind.job(folder.url.path)
    let told = try Self.messages(of: helper, job)
    switch (helper.wait(milliseconds: 10_000), told.last) {
    case (.signalled(ChildProcess.forbiddenCallSignal), nil): return "killed"
    // A program that replaced the helper process sends no message and exits with success.
    case (.exited(0), nil): return "done"
    case (.exited(1), .error(let error)):
      let (problem, prefix) = (error.problem.description, isCopy ? "by a copy: " : "started: ")
      return problem.hasPrefix(prefix) ? String(problem.dropFirst(prefix.count)) : problem
    case (let end, let message):
      return "\(end.map { "\($0)" } ?? "no end"), \(told.count), \(message.map { "\($0)" } ?? "")"
    }
  }

  /// Returns the messages that a helper sends about a job, until its output ends.
  static func messages(of helper: ChildProcess, _ job: HelperJob) throws -> [RenderMessage] {
    let line = Array(try JSONEncoder().encode(job)) + [UInt8(ascii: "\n")]
    guard try helper.send(line[...], waiting: 10_000) == line.count else { throw ToolFailure("nobody hears") }
    var told: [UInt8] = []
    for _ in 0..<600 {
      switch try helper.receive(waiting: 100) {
      case .bytes(let bytes): told += bytes
      case .nothing: break
      case .end:
        return try told.split(separator: UInt8(ascii: "\n")).map {
          try JSONDecoder().decode(RenderMessage.self, from: Data($0))
        }
      }
    }
    throw ToolFailure("no end of the output")
  }
}

/// A kind of job, with a sample job over the files of an ``AttackScene``.
struct JobKind: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let make: @Sendable (_ photo: String, _ movie: String, _ output: String, _ folder: String) -> HelperJob

  init(
    _ name: String,
    _ make:
      @escaping @Sendable (_ photo: String, _ movie: String, _ output: String, _ folder: String) -> HelperJob
  ) { (testDescription, self.make) = (name, make) }

  /// Returns a job of this kind.
  ///
  /// - Parameter folder: The scene's folder.
  func job(_ folder: String) -> HelperJob {
    make(folder + "/in/photo.jpg", folder + "/in/movie.mov", folder + "/out/made", folder + "/small")
  }

  private static func renderJob(photo: String?, movie: String?, _ output: String) -> RenderJob {
    RenderJob(
      photo: photo.map { .init(source: $0, output: output + ".jpg") },
      movie: movie.map { .init(source: $0, output: output + ".mov") }, edit: .identity, settings: .standard,
      identifier: nil)
  }

  static let render = JobKind("render") { photo, movie, output, _ in
    .render(renderJob(photo: photo, movie: movie, output))
  }
  /// All job kinds except rendering.
  static let others = [
    JobKind("render a movie") { _, movie, output, _ in .render(renderJob(photo: nil, movie: movie, output)) },
    JobKind("rehearse") { photo, movie, output, _ in .rehearse(renderJob(photo: photo, movie: movie, output))
    },
    JobKind("check") { photo, movie, _, _ in .check(PictureCheckJob(photo: photo, movie: movie)) },
    JobKind("propose") { photo, movie, _, _ in .propose(AutoJob(photo: photo, movie: movie)) },
    JobKind("match") { photo, movie, output, _ in
      .match(
        MatchJob(
          original: photo, edited: photo, keyFrame: .init(movie: movie, motion: .identity), report: output))
    },
    JobKind("preview") { photo, movie, _, folder in
      .preview(PreviewJob(photo: photo, movie: movie, folder: folder))
    },
    JobKind("movie") { _, movie, output, _ in
      .convert(.movie(MovieConversion(source: movie, output: output, container: .mp4)))
    },
    JobKind("still time") { photo, movie, _, _ in .convert(.stillTime(photo: photo, movie: movie)) },
    JobKind("best frame") { _, movie, _, _ in .convert(.bestFrame(movie: movie, part: nil, near: nil)) },
    JobKind("frame") { _, movie, output, _ in .convert(.frame(movie: movie, seconds: 0, output: output)) },
    JobKind("looping preview") { _, movie, output, _ in
      .convert(.preview(movie: movie, output: output, kind: .gif))
    },
    JobKind("picture") { photo, _, output, _ in .convert(.picture(source: photo, output: output)) },
    JobKind("image") { photo, _, output, _ in
      .convert(.image(ImageConversion(source: photo, output: output)))
    },
    JobKind("video") { _, movie, output, _ in
      .convert(.video(VideoConversion(source: movie, output: output)))
    },
    JobKind("sheet's pictures") { photo, movie, _, _ in
      .convert(.sheetPictures(SheetPictures(sources: [.init(path: photo), .init(path: movie)], side: 64)))
    },
    // Only this job may read fonts. Its file of samples does not need a valid format.
    JobKind("sheet") { photo, _, output, _ in
      .convert(
        .sheet(
          SheetConversion(
            title: ["A sheet"], pictures: photo, cells: [.init(caption: ["a"])], columns: 1, side: 64,
            format: .jpeg, output: output)))
    },
    JobKind("grid") { photo, _, _, _ in .convert(.grid(.init(path: photo, isMovie: false))) },
  ]
}
