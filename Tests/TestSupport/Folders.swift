import Foundation

/// A temporary folder for a test, removed when this object is released.
public final class TemporaryFolder: Sendable {
  /// The location of the folder.
  public let url: URL

  /// Creates a new, empty folder.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("liveedit-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Returns the URL of a file in the folder, whether or not the file exists.
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
  /// - Returns: The URLs of the copies.
  @discardableResult
  public func copy(_ files: URL...) throws -> [URL] {
    try files.map { source in
      let target = file(source.lastPathComponent)
      try FileManager.default.copyItem(at: source, to: target)
      // Samples may be read-only, but a user's photos are writable.
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target.path)
      return target
    }
  }

  /// Returns the names of the files in the folder, including hidden files.
  public func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}

/// A file without a name, which exists until this object is released.
final class UnnamedFile {
  /// The descriptor of the file, open for reading and writing. A program that inherits the descriptor shares its
  /// position.
  let descriptor: Int32

  /// - Parameter content: The initial content of the file.
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

/// The locations of the files that the tests use.
public enum TestFiles {
  /// The root folder of the project.
  public static let project = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The folder that contains the built programs and the tests.
  public static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent()

  /// Returns the URL of a committed fixture.
  public static func fixture(_ name: String) -> URL {
    project.appendingPathComponent("Fixtures").appendingPathComponent(name)
  }

  /// The first bytes of an MP4 file, its major and compatible brands, by which readers find a movie behind a photo.
  public static let shortestMovie: [UInt8] =
    [0, 0, 0, 24] + Array("ftypmp42".utf8) + [0, 0, 0, 0] + Array("isommp42".utf8)

  /// The folder of real Live Photos, if the environment names one.
  public static let samples = ProcessInfo.processInfo.environment["LIVEEDIT_SAMPLES"].map {
    URL(fileURLWithPath: $0)
  }

  /// Returns the URL of a sample file; nil if no samples are available.
  public static func sample(_ path: String) -> URL? {
    guard let file = samples?.appendingPathComponent(path), FileManager.default.fileExists(atPath: file.path)
    else { return nil }
    return file
  }
}
