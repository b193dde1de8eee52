import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// The geometry of a job's edit for each of its halves.
///
/// The photo's whole picture shows the same as the movie's clean aperture. Their shapes differ a little where their sizes
/// do not divide: both then take the photo's, so that the same places of the scene stay in both.
struct JobGeometry: Sendable {
  private let geometry: Geometry
  /// The shape of the photo as displayed after the edit's turn.
  private let shape: Double?
  /// True if what is not shown of frames is cut off, even where nothing else is.
  private let cutsScene: Bool

  /// The part of which two shapes may differ that are meant to be the same.
  private static let tolerance = 0.05

  /// - Parameters:
  ///   - job: the job.
  ///   - photo: its photo, opened; nil without one.
  ///   - keyPhoto: the picture that takes the place of the photo's own; nil where that stays.
  ///   - cutsScene: whether what is not shown of frames is cut off, even where nothing else is.
  /// - Throws: ``EditError`` when the system does not let the photo be read.
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
      // A frame keeps the places that its movie keeps; another program's picture has nothing but its own shape.
      ratio = keyPhoto.seconds == nil ? own : Self.shape(ratio, near: own)
    }
    shape = ratio.map { job.edit.orientation.swapsAxes ? 1 / $0 : $0 }
  }

  /// True if pictures are straightened or cropped.
  var changesPictures: Bool { !geometry.isNeutral }

  /// The plan for frames of the movie of which all is shown, in square pixels.
  ///
  /// - Parameter format: of the turned frames.
  /// - Returns: nil when they stay as they are.
  func plan(ofFrame format: FrameFormat) throws(EditError) -> GeometryPlan? {
    var picture = GeometryPlan.Picture(
      width: format.width, height: format.height, sampling: format.sampling, needsEvenSize: true)
    picture.shape = Self.shape(shape, near: picture.scene.z / picture.scene.w)
    return try plan(picture)
  }

  /// The photo's shape where a movie's is meant to be the same, otherwise the movie's own.
  private static func shape(_ shape: Double?, near own: Double) -> Double {
    shape.flatMap { abs($0 / own - 1) < tolerance ? $0 : nil } ?? own
  }

  /// The plan for the photo.
  ///
  /// - Parameters:
  ///   - size: columns and rows of the turned picture.
  ///   - sampling: how its chroma is sampled.
  /// - Returns: nil when it stays as it is.
  func photoPlan(_ size: PixelSize, sampling: ChromaSampling) throws(EditError) -> GeometryPlan? {
    try plan(GeometryPlan.Picture(width: size.width, height: size.height, sampling: sampling, shape: shape))
  }

  /// The plan for a picture of the photo that stays laid down as it is: what it is for the displayed picture, turned.
  ///
  /// - Parameters:
  ///   - size: columns and rows of the stored picture.
  ///   - aperture: its clean aperture; nil without one.
  ///   - sampling: how its chroma is sampled.
  ///   - display: how it is displayed.
  ///   - isCut: whether its clean aperture is cut out in any case.
  ///   - needsEvenSize: whether what comes out must have an even number of columns and rows, if it has chroma.
  /// - Returns: nil when it stays as it is.
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

  /// The plan for the frames of the movie.
  ///
  /// - Parameters:
  ///   - movie: the movie.
  ///   - transform: how its stored frames are turned.
  /// - Returns: nil when they stay as they are.
  func moviePlan(_ movie: MovieSummary, turnedBy transform: Orientation) throws(EditError) -> GeometryPlan? {
    let picture = moviePicture(movie, turnedBy: transform)
    guard geometry.isNeutral, cutsScene else { return try plan(picture) }
    let plan = try GeometryPlan(geometry, of: picture)
    return plan.width == picture.width && plan.height == picture.height ? nil : plan
  }

  /// The plan for frames of the movie that are moved, and cut to what all of them cover.
  ///
  /// - Parameters:
  ///   - movie: the movie.
  ///   - transform: how its stored frames are turned.
  ///   - stabilization: how the turned frames are moved.
  func moviePlan(
    _ movie: MovieSummary, turnedBy transform: Orientation, movedBy stabilization: Stabilization
  ) throws(EditError) -> GeometryPlan {
    var picture = moviePicture(movie, turnedBy: transform)
    picture.scene = stabilization.scene
    return try GeometryPlan(geometry, of: picture)
  }

  /// The turned frames of the movie, and the part of them that may be seen.
  ///
  /// - Parameters:
  ///   - movie: the movie.
  ///   - transform: how its stored frames are turned.
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
    // Whatever chroma there is, even columns and rows are on its samples.
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
  /// The stage that crops and straightens. The photo, which is alone, is split among the processors.
  var stage: FrameStage {
    { frame, context in
      try applied(
        to: frame, pieces: context.half == .photo ? HostSystem.processors : 1, by: WorkerThread.runSideBySide)
    }
  }

  /// From places of the whole picture, whatever part of it is the scene, to places of the output, both in fractions.
  var pictureProjection: PictureProjection {
    let size = SIMD2(Double(picture.width), Double(picture.height))
    let scene = (
      first: SIMD2(picture.scene.x, picture.scene.y), size: SIMD2(picture.scene.z, picture.scene.w)
    )
    return PictureProjection(scale: size / scene.size, shift: -scene.first / scene.size).then(projection)
  }

  /// - Throws: ``MediaError`` when what comes out is larger than a frame may be.
  func checkSize() throws {
    guard width * height > FrameFormat.maximumSamples else { return }
    throw MediaError(
      "the cropped picture of \(width)x\(height) would still be too large",
      remedy: "crop it to a smaller area", isUnsupported: true)
  }

  /// The size of what comes out.
  var outputSize: PixelSize { PixelSize(width: width, height: height) }
}

extension Orientation {
  /// The place of a part of a picture in the transformed picture.
  ///
  /// - Parameters:
  ///   - part: first column and row, columns and rows.
  ///   - size: the size of the picture before.
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
  /// The layout of chroma samples; 4:2:0 for layouts that no decoder here takes.
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
