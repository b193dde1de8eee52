/// The most that a helper may take for one job: far more than the job needs, and less than what harms the computer.
package struct WorkLimits: Codable, Hashable, Sendable {
  /// Bytes of memory that it writes to (`RLIMIT_DATA`).
  package var memory: Int
  /// Seconds of processor time (`RLIMIT_CPU`).
  package var seconds: Int
  /// Bytes of one file that it writes (`RLIMIT_FSIZE`).
  package var fileSize: Int
  /// Files that it has open at a time (`RLIMIT_NOFILE`).
  package var descriptors: Int

  /// The pictures of a job, as their files' headers tell them.
  package struct Work: Codable, Hashable, Sendable {
    /// Pixels of the largest photo.
    package var stillPixels = 0
    /// Pixels of the largest frame of a movie.
    package var framePixels = 0
    /// Frames of all movies.
    package var frames = 0
    /// Bytes of all files.
    package var bytes = 0

    /// No pictures.
    package init() {}
  }

  /// The most that pictures may add to the limits of size, in bytes: headers of strangers say how many there are.
  private static let mostPictures = 64 << 30
  /// The most that pictures may add to the limit of time, in seconds: a week.
  private static let mostSeconds = 7 * 24 * 3600

  /// The most that it takes to read the headers of a job's files, which tell how large their pictures are.
  package static let ofHeaders = {
    var limits = WorkLimits()
    limits.seconds = 300
    return limits
  }()

  /// - Parameters:
  ///   - work: the pictures of the job.
  ///   - processors: the number of processors, each of which may have a piece of the work at hand.
  ///   - computersMemory: the bytes of memory that the computer has, beyond which pictures may take none.
  package init(_ work: Work = Work(), processors: Int = 1, computersMemory: Int = .max) {
    // A side of a picture is below 65 536, but headers may say anything.
    func bounded(_ number: Int, _ most: Int) -> Int { min(max(number, 0), most) }
    let still = bounded(work.stillPixels, 1 << 32)
    let frame = bounded(work.framePixels, 1 << 28)
    let all = still + frame * bounded(work.frames, 1 << 24)
    // Measured: Documentation/Reliability.md. The encoders look ahead over dozens of frames.
    memory =
      (2 << 30) + (128 << 20) * bounded(processors, 256) + bounded(96 * still + 400 * frame, computersMemory)
    seconds = 3600 + bounded(all / 50_000, Self.mostSeconds)
    fileSize = (1 << 30) + 8 * bounded(work.bytes, 1 << 50) + bounded(8 * all, Self.mostPictures)
    descriptors = 256
  }
}
