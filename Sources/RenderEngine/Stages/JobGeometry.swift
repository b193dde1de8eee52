import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// The geometry of a job's edit for each half.
///
/// The whole photo and the clean aperture of the movie show the same scene. Because of rounding, their aspect ratios
/// may differ slightly. Both halves then use the aspect ratio of the photo and therefore keep the same area of the
/// scene.
struct JobGeometry: Sendable {
  private let geometry: Geometry
  /// The aspect ratio of the displayed photo after the edit's rotation.
  private let shape: Double?
  /// Whether the hidden part of frames is cropped even if nothing else is cropped.
  private let cutsScene: Bool

  /// The maximum relative difference between two aspect ratios that count as equal.
  private static let tolerance = 0.05

  /// - Parameters:
  ///   - job: The job.
  ///   - photo: The opened photo of the job, or nil if the job has no photo.
  ///   - keyPhoto: The picture that replaces the photo's own picture, or nil if the photo's own picture is kept.
  ///   - cutsScene: Whether the hidden part of frames is cropped even if nothing else is cropped.
  /// - Throws: ``EditError`` if the system does not allow the photo to be read.
  init(
    _ job: RenderJob, _ photo: OpenedPhoto?, keyPhoto: KeyPhoto? = nil, cutsScene: Bool = false
  ) throws(EditError) {
    geometry = job.edit.geometry
    self.cutsScene = cutsScene
    let size: PhotoMetadata?
    do {
      size = try geometry.isNeutral ? nil : ifSound { try photo?.get().metadata() }
    } catch {
      var error = EditError(reading: "", error)
      error.file = job.photo?.source
      throw error
    }
    var ratio = size.flatMap {
      $0.width > 0 && $0.height > 0 ? Double($0.width) / Double($0.height) : nil
    }
    if let keyPhoto {
      let size = keyPhoto.size(storedFor: .identity)
      let own = Double(size.width) / Double(size.height)
      // A frame keeps the same area of the scene as its movie. A picture by another program has only its own aspect
      // ratio.
      ratio = keyPhoto.seconds == nil ? own : Self.shape(ratio, near: own)
    }
    shape = ratio.map { job.edit.orientation.swapsAxes ? 1 / $0 : $0 }
  }

  /// Whether pictures are straightened or cropped.
  var changesPictures: Bool { !geometry.isNeutral }

  /// Returns the plan for movie frames without hidden parts and with square pixels.
  ///
  /// - Parameter format: The format of the rotated frames.
  /// - Returns: Nil if the frames do not change.
  func plan(ofFrame format: FrameFormat) throws(EditError) -> GeometryPlan? {
    var picture = GeometryPlan.Picture(
      width: format.width, height: format.height, sampling: format.sampling, needsEvenSize: true)
    picture.shape = Self.shape(shape, near: picture.scene.z / picture.scene.w)
    return try plan(picture)
  }

  /// Returns the aspect ratio of the photo if both halves are meant to have the same ratio, otherwise the aspect ratio
  /// of the movie.
  private static func shape(_ shape: Double?, near own: Double) -> Double {
    shape.flatMap { abs($0 / own - 1) < tolerance ? $0 : nil } ?? own
  }

  /// Returns the plan for the photo.
  ///
  /// - Parameters:
  ///   - size: The size of the rotated picture.
  ///   - sampling: The chroma subsampling of the picture.
  /// - Returns: Nil if the picture does not change.
  func photoPlan(_ size: PixelSize, sampling: ChromaSampling) throws(EditError) -> GeometryPlan? {
    try plan(GeometryPlan.Picture(width: size.width, height: size.height, sampling: sampling, shape: shape))
  }

  /// Returns the plan for a picture of the photo that keeps its stored orientation: the plan for the displayed picture,
  /// rotated to the stored orientation.
  ///
  /// - Parameters:
  ///   - size: The size of the stored picture.
  ///   - aperture: The picture's clean aperture, or nil if the picture has none.
  ///   - sampling: The chroma subsampling of the picture.
  ///   - display: The display orientation of the picture.
  ///   - isCut: Whether the picture is always cropped to its clean aperture.
  ///   - needsEvenSize: Whether the width and height of the result must be even numbers if the result has chroma.
  /// - Returns: Nil if the picture does not change.
  func storedPlan(
    _ size: PixelSize, aperture: HEIFPicture.Aperture?, sampling: ChromaSampling,
    displayedAs display: Orientation, isCut: Bool, needsEvenSize: Bool
  ) throws(EditError) -> GeometryPlan? {
    let back = display.inverse
    let scene = aperture.map {
      SIMD4(Double($0.x), Double($0.y), Double($0.width), Double($0.height))
    }
    let stored = GeometryPlan.Picture(
      width: size.width, height: size.height, scene: scene, sampling: sampling,
      shape: shape.map { back.swapsAxes ? 1 / $0 : $0 }, needsEvenSize: needsEvenSize && sampling != .grey)
    guard isCut, scene != nil else { return try plan(stored, geometry.turned(by: back)) }
    return try GeometryPlan(geometry.turned(by: back), of: stored)
  }

  /// Returns the plan for the frames of the movie.
  ///
  /// - Parameters:
  ///   - movie: The movie.
  ///   - transform: The rotation or flip of the stored frames.
  /// - Returns: Nil if the frames do not change.
  func moviePlan(_ movie: MovieSummary, turnedBy transform: Orientation) throws(EditError) -> GeometryPlan? {
    let picture = moviePicture(movie, turnedBy: transform)
    guard geometry.isNeutral, cutsScene else { return try plan(picture) }
    let plan = try GeometryPlan(geometry, of: picture)
    return plan.width == picture.width && plan.height == picture.height ? nil : plan
  }

  /// Returns the plan for movie frames that are moved by a stabilisation and cropped to the area that all frames cover.
  ///
  /// - Parameters:
  ///   - movie: The movie.
  ///   - transform: The rotation or flip of the stored frames.
  ///   - stabilization: The movements of the rotated frames.
  func moviePlan(
    _ movie: MovieSummary, turnedBy transform: Orientation, movedBy stabilization: Stabilization
  ) throws(EditError) -> GeometryPlan {
    var picture = moviePicture(movie, turnedBy: transform)
    picture.scene = stabilization.scene
    return try GeometryPlan(geometry, of: picture)
  }

  /// Returns the format of the movie's frames after rotation, and the visible part of these frames.
  ///
  /// - Parameters:
  ///   - movie: The movie.
  ///   - transform: The rotation or flip of the stored frames.
  func moviePicture(
    _ movie: MovieSummary, turnedBy transform: Orientation
  ) -> GeometryPlan.Picture {
    let size = PixelSize(turning: (movie.storedWidth, movie.storedHeight), by: transform)
    let stored = SIMD2(Double(movie.storedWidth), Double(movie.storedHeight))
    var scene: SIMD4<Double>?
    if let clap = movie.cleanAperture {
      let half = SIMD2(clap.width, clap.height) / 2
      let center = stored / 2 + SIMD2(clap.horizontalOffset, clap.verticalOffset)
      let (first, last) = (center - half, center + half)
      let one = transform.apply(x: first.x, y: first.y, width: stored.x, height: stored.y)
      let two = transform.apply(x: last.x, y: last.y, width: stored.x, height: stored.y)
      scene = [min(one.x, two.x), min(one.y, two.y), abs(one.x - two.x), abs(one.y - two.y)]
    }
    // Even columns and rows coincide with chroma samples in any chroma layout.
    var picture = GeometryPlan.Picture(
      width: size.width, height: size.height, scene: scene, sampling: .yuv420, needsEvenSize: true)
    let aspect = 0.1...10 ~= movie.pixelAspect ? movie.pixelAspect : 1
    let own = picture.scene.z / picture.scene.w * (transform.swapsAxes ? 1 / aspect : aspect)
    picture.shape = Self.shape(shape, near: own)
    return picture
  }

  private func plan(
    _ picture: GeometryPlan.Picture, _ other: Geometry? = nil
  ) throws(EditError) -> GeometryPlan? {
    let geometry = other ?? geometry
    guard !geometry.isNeutral else { return nil }
    let plan = try GeometryPlan(geometry, of: picture)
    return plan.isIdentity ? nil : plan
  }
}

extension GeometryPlan {
  /// The stage that crops and straightens pictures. The work on a photo is distributed over all processors.
  var stage: FrameStage {
    { frame, context in
      try applied(
        to: frame, pieces: context.half == .photo ? HostSystem.processors : 1, by: WorkerThread.runSideBySide)
    }
  }

  /// The mapping from positions in the whole picture, including the parts outside the scene, to positions in the
  /// output. Both are fractions of width and height.
  var pictureProjection: PictureProjection {
    let size = SIMD2(Double(picture.width), Double(picture.height))
    let scene = (
      first: SIMD2(picture.scene.x, picture.scene.y), size: SIMD2(picture.scene.z, picture.scene.w)
    )
    return PictureProjection(scale: size / scene.size, shift: -scene.first / scene.size).then(projection)
  }

  /// - Throws: ``MediaError`` if the output is larger than the maximum for a frame.
  func checkSize() throws {
    guard width * height > FrameFormat.maximumSamples else { return }
    throw MediaError(
      "the cropped picture of \(width)x\(height) would still be too large",
      remedy: "crop it to a smaller area", isUnsupported: true)
  }

  /// The size of the output.
  var outputSize: PixelSize { PixelSize(width: width, height: height) }
}

extension Orientation {
  /// Returns the position of a part of a picture in the rotated or flipped picture.
  ///
  /// - Parameters:
  ///   - part: The first column, the first row, the width and the height of the part.
  ///   - size: The size of the picture before the transformation.
  func moved(
    _ part: (x: Int, y: Int, width: Int, height: Int), of size: PixelSize
  ) -> (x: Int, y: Int, width: Int, height: Int) {
    let (width, height) = (Double(size.width), Double(size.height))
    let one = apply(x: Double(part.x), y: Double(part.y), width: width, height: height)
    let two = apply(
      x: Double(part.x + part.width), y: Double(part.y + part.height), width: width, height: height)
    return (
      Int(min(one.x, two.x).rounded()), Int(min(one.y, two.y).rounded()), Int(abs(one.x - two.x).rounded()),
      Int(abs(one.y - two.y).rounded())
    )
  }
}

extension JPEGFrame {
  /// The chroma subsampling. Subsamplings that no decoder in this program supports count as 4:2:0.
  var sampling: ChromaSampling {
    guard components.count >= 3 else { return .grey }
    func shift(_ luma: Int, _ chroma: Int) -> Int {
      luma == chroma ? 0 : luma == 2 * chroma ? 1 : luma == 4 * chroma ? 2 : -1
    }
    let shifts = (
      shift(components[0].horizontal, components[1].horizontal),
      shift(components[0].vertical, components[1].vertical)
    )
    return ChromaSampling.allCases.first {
      $0 != .grey && ($0.horizontalShift, $0.verticalShift) == shifts
    } ?? .yuv420
  }
}
