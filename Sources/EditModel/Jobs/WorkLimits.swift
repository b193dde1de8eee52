/// The resource limits of the render helper for a single job. The limits are far higher than the job's needs, but low
/// enough not to harm the computer.
package struct WorkLimits: Codable, Hashable, Sendable {
  /// The maximum size of writable memory in bytes (`RLIMIT_DATA`).
  package var memory: Int
  /// The maximum processor time in seconds (`RLIMIT_CPU`).
  package var seconds: Int
  /// The maximum size of a written file in bytes (`RLIMIT_FSIZE`).
  package var fileSize: Int
  /// The maximum number of open files (`RLIMIT_NOFILE`).
  package var descriptors: Int

  /// The sizes of a job's pictures, as declared in the files' headers.
  package struct Work: Codable, Hashable, Sendable {
    /// The number of pixels in the largest photo.
    package var stillPixels = 0
    /// The number of pixels in the largest movie frame.
    package var framePixels = 0
    /// The number of frames in all movies.
    package var frames = 0
    /// The size of all files in bytes.
    package var bytes = 0

    /// Creates a value for a job without pictures.
    package init() {}
  }

  /// The maximum number of bytes that pictures can add to the size limits. This maximum exists because the sizes in
  /// untrusted headers can be arbitrary.
  private static let mostPictures = 64 << 30
  /// The maximum number of seconds that pictures can add to the time limit: a week.
  private static let mostSeconds = 7 * 24 * 3600

  /// The limits for reading the headers of a job's files, which contain the sizes of the pictures.
  package static let ofHeaders = {
    var limits = WorkLimits()
    limits.seconds = 300
    return limits
  }()

  /// - Parameters:
  ///   - work: The sizes of the job's pictures.
  ///   - processors: The number of processors. Each processor may work on its own piece of the job.
  ///   - computersMemory: The size of the computer's memory in bytes. Pictures cannot raise the memory limit above this
  ///     size.
  package init(_ work: Work = Work(), processors: Int = 1, computersMemory: Int = .max) {
    // A picture's real width and height are below 65,536, but headers can contain any number.
    func bounded(_ number: Int, _ most: Int) -> Int { min(max(number, 0), most) }
    let still = bounded(work.stillPixels, 1 << 32)
    let frame = bounded(work.framePixels, 1 << 28)
    let all = still + frame * bounded(work.frames, 1 << 24)
    // These values were measured; see Documentation/Reliability.md. The encoders look ahead over dozens of frames.
    memory =
      (2 << 30) + (128 << 20) * bounded(processors, 256) + bounded(96 * still + 400 * frame, computersMemory)
    seconds = 3600 + bounded(all / 50_000, Self.mostSeconds)
    fileSize = (1 << 30) + 8 * bounded(work.bytes, 1 << 50) + bounded(8 * all, Self.mostPictures)
    descriptors = 256
  }
}
