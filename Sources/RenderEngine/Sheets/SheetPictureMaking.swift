import Basics
import Codecs
import EditModel
import FileSystem
import FoundationEssentials
import LivePhotoFormat
import Rendering

/// Creates the pictures of one asset for a contact sheet.
struct SheetPictureMaking {
  let job: SheetPictures

  /// The maximum number of pictures. The sheet of a single asset has about a dozen pictures.
  private static let mostPictures = 64

  /// Creates the pictures. If pictures could not be created, the result states the reasons.
  ///
  /// - Throws: ``MediaError`` if the job is not valid; `CancellationError` if the work was cancelled.
  func run(isCancelled: () -> Bool) throws -> ConversionResult {
    guard (16...1024).contains(job.side), (1...Self.mostPictures).contains(job.sources.count) else {
      throw MediaError("the sheet's picture count or picture size is out of range")
    }
    var result = ConversionResult()
    try pictures(isCancelled) { index, picture in
      switch picture {
      case .success(let picture): result.pictures[index] = SheetPictures.Picture(picture)
      case .failure(let error): result.failures[index] = error
      }
    }
    return result
  }

  /// Creates the pictures, decoding each movie only once.
  private func pictures(
    _ isCancelled: () -> Bool, _ take: (Int, Result<PlanarFrame, EditError>) throws -> Void
  ) throws {
    var frames: [String: [(index: Int, seconds: Double)]] = [:]
    var order: [String] = []
    for (index, source) in job.sources.enumerated() {
      if isCancelled() { throw CancellationError() }
      guard let seconds = source.seconds else {
        let (path, side) = (source.path, job.side)
        let picture = try result(path) {
          try asking(isCancelled) { try ImageMaking.thumbnail(ofPhoto: path, side: side) }
        }
        try take(index, picture)
        continue
      }
      if frames[source.path] == nil { order.append(source.path) }
      frames[source.path, default: []].append((index, seconds))
    }
    for path in order {
      var rest = (frames[path] ?? []).sorted { $0.seconds < $1.seconds }[...]
      let outcome = try result(path) {
        try self.frames(rest, of: path, isCancelled) { index, picture in
          rest.removeFirst()
          try take(index, .success(picture))
        }
      }
      guard case .failure(let error) = outcome else { continue }
      for one in rest { try take(one.index, .failure(error)) }
    }
  }

  /// Creates pictures of movie frames at given times. Each picture shows the last frame that begins at or before the
  /// given time. If no frame begins that early, the picture shows the first frame.
  ///
  /// - Parameters:
  ///   - cells: The positions of the pictures and their times, starting with the earliest.
  ///   - take: Receives the pictures in the same order.
  private func frames(
    _ cells: ArraySlice<(index: Int, seconds: Double)>, of path: String, _ isCancelled: () -> Bool,
    _ take: (Int, PlanarFrame) throws -> Void
  ) throws {
    let wanted = Array(cells)
    let files = try MotionPhotoFiles(path: path)
    let path = files?.movie.path ?? path
    let orientation = try Movie(FileByteSource(path: path)).shownOrientation
    var next = 0
    var last: PlanarFrame?
    func show(until seconds: Double) throws {
      guard next < wanted.count, wanted[next].seconds < seconds, let last else { return }
      let picture = try ImageMaking.thumbnail(of: last.turned(by: orientation), side: job.side)
      while next < wanted.count, wanted[next].seconds < seconds {
        try take(wanted[next].index, picture)
        next += 1
      }
    }
    // The tolerance is needed because the requested times are rounded.
    let tolerance = 0.0005
    try StillPictures.frames(of: path, isCancelled: isCancelled) { frame, seconds in
      try show(until: seconds - tolerance)
      last = frame
      return next < wanted.count
    }
    try show(until: .infinity)
    guard next == wanted.count else { throw MediaError("the video track has no frames") }
  }

  /// Returns the result of work on a file. If the work fails, the error in the result names the file.
  private func result<Value>(_ path: String, _ body: () throws -> Value) throws -> Result<Value, EditError> {
    do {
      return .success(try body())
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      return .failure(EditError(reading: path, error))
    }
  }
}

extension SheetPictures.Picture {
  /// Copies the samples of a frame with 8 bits per sample.
  fileprivate init(_ frame: PlanarFrame) {
    self.init(
      width: frame.format.width, height: frame.format.height,
      planes: (0..<frame.format.sampling.planeCount).map { plane in
        Data(frame.samples(ofPlane: plane).lowBytes)
      })
  }
}
