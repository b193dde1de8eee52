import Foundation

/// A folder of a test's own, which goes away with the value.
public final class TemporaryFolder: Sendable {
  /// Where the folder is.
  public let url: URL

  /// Makes a new, empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("liveedit-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The place of a file in the folder, whether it exists or not.
  public func file(_ name: String) -> URL {
    url.appendingPathComponent(name)
  }

  /// Writes a file in the folder.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> URL {
    try Data(bytes).write(to: file(name))
    return file(name)
  }

  /// Reads a file in the folder.
  public func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: file(name)))
  }

  /// Copies files into the folder.
  ///
  /// - Returns: where the copies are.
  @discardableResult
  public func copy(_ files: URL...) throws -> [URL] {
    try files.map { source in
      let target = file(source.lastPathComponent)
      try FileManager.default.copyItem(at: source, to: target)
      // Samples may be read-only; a user's photos are not.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.path)
      return target
    }
  }

  /// The names of the files in the folder, hidden ones too.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}

/// A file without a name, which exists as long as the value.
final class UnnamedFile {
  /// The file, opened for reading and writing. A program that gets it shares its position.
  let descriptor: Int32

  /// - Parameter content: the bytes that are read first.
  init(_ content: Data = Data()) throws {
    let path = NSTemporaryDirectory() + "liveedit-test-" + UUID().uuidString
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw ToolFailure("\(path): \(String(cString: strerror(errno)))") }
    unlink(path)
    guard !content.isEmpty else { return }
    try handle.write(contentsOf: content)
    try handle.seek(toOffset: 0)
  }

  deinit { close(descriptor) }

  /// Reads the whole file.
  func content() throws -> Data {
    try handle.seek(toOffset: 0)
    return try handle.readToEnd() ?? Data()
  }

  private var handle: FileHandle { FileHandle(fileDescriptor: descriptor, closeOnDealloc: false) }
}

/// Where the tests find their files.
public enum TestFiles {
  /// The project's folder.
  public static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder of the built programs, which is that of the tests themselves.
  public static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// One of the committed fixtures.
  public static func fixture(_ name: String) -> URL {
    project.appendingPathComponent("Fixtures").appendingPathComponent(name)
  }

  /// The first bytes of an MP4 file, by which readers find a movie behind a photo: its type and compatible brands.
  public static let shortestMovie: [UInt8] =
    [0, 0, 0, 24] + Array("ftypmp42".utf8) + [0, 0, 0, 0] + Array("isommp42".utf8)

  /// The folder of real Live Photos, where the environment names one.
  public static let samples = ProcessInfo.processInfo.environment["LIVEEDIT_SAMPLES"].map {
    URL(fileURLWithPath: $0)
  }

  /// A file among the real Live Photos; nil where there are none.
  public static func sample(_ path: String) -> URL? {
    guard let file = samples?.appendingPathComponent(path), FileManager.default.fileExists(atPath: file.path)
    else { return nil }
    return file
  }
}
