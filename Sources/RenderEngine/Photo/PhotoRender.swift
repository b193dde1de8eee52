import Basics
import Codecs
import EditModel
import FileSystem
import LivePhotoFormat
import Rendering

/// The photo of a job, ready to be rendered.
struct PhotoRender {
  let photo: Photo
  /// The picture that replaces the photo's own picture, or nil if the photo's picture is kept.
  let keyPhoto: KeyPhoto?
  let half: RenderJob.Half
  let job: RenderJob
  let geometry: JobGeometry
  let placement: PixelPlacement
  /// The new ICC profile of the photo, or nil if the photo keeps its own colours.
  let newProfile: [UInt8]?
  /// The stages that are applied to every picture after rotation, straightening and cropping.
  let stages: [FrameStage]
  /// Whether the stages need the picture in its displayed orientation.
  let isUpright: Bool
  /// Whether to rehearse: nothing is written, and only enough is encoded to show that the pictures can be encoded.
  let isRehearsal: Bool
  let stop: StopSignal
  let meter: ProgressMeter

  /// Renders the photo.
  func render() throws -> RenderResult {
    guard photo.source.count > 0 else {
      throw MediaError("the file is empty", remedy: "copy the file from the phone again")
    }
    try photo.source.checkPhotoSize()
    guard let kind = photo.kind else {
      throw MediaError("the file is not a JPEG photo", remedy: "specify a photo or a movie")
    }
    var result = try kind.codec.render(self)
    if job.edit.motion.effect == .longExposure {
      result.notes.append(
        "Motion in the movie is blurred in the photo. Areas outside the movie's picture are unchanged."
      )
    }
    if newProfile != nil {
      result.notes.append("The photo is now in Display P3, because the edit produced colours outside sRGB.")
    }
    if let keyPhoto {
      result.removals = keyPhoto.removals + result.removals
      result.notes.insert(keyPhoto.note, at: 0)
    }
    if job.edit.motion.isLiveOff, try photo.contentIdentifier() != nil {
      result.removals.append(
        Removal(half: .photo, name: "ContentIdentifier", reason: "pairs the photo with the movie"))
    }
    return result
  }

  /// Creates a JPEG thumbnail for Exif, with the same size as the original's thumbnail.
  ///
  /// - Parameter edited: Returns the edited picture.
  /// - Returns: Nil if the original has no thumbnail in Exif, or if this thumbnail cannot be decoded.
  func exifThumbnail(_ edited: () throws -> PlanarFrame) throws -> [UInt8]? {
    guard let old = try photo.embeddedThumbnail().flatMap({ try? JPEGCodec.decode($0) }) else { return nil }
    return try edited().reduced(toFit: max(old.format.width, old.format.height)).map {
      try JPEGCodec.encode($0.forJPEG(), quality: 80)
    }
  }

  /// Writes the rendered photo and checks that it can be displayed. In a rehearsal, the bytes are discarded.
  ///
  /// - Parameter body: Writes the photo with its metadata and identifier, and returns the metadata that the photo no
  ///   longer contains.
  /// - Returns: The metadata that the written photo no longer contains.
  func write(_ body: (any ByteSink) throws -> [Removal]) throws -> [Removal] {
    let sink = try OutputFile(isRehearsal ? nil : half.output, stop)
    var changes: [(Photo, any ByteSink) throws -> [Removal]] = []
    if let newProfile { changes.append { try $0.write(asDisplayP3: newProfile, to: $1) } }
    if !job.edit.facts.isNeutral { changes.append { try $0.write(stating: job.edit.facts, to: $1) } }
    if job.edit.motion.isLiveOff { changes.append { try $0.write(tiedBy: nil, to: $1) } }
    let first = MemoryByteSink()
    var removals = try body(changes.isEmpty ? sink : first)
    var photo = first
    for (index, change) in changes.enumerated() {
      let next = MemoryByteSink()
      let isLast = index == changes.count - 1
      removals += try change(Photo(MemoryByteSource(photo.bytes)), isLast ? sink : next)
      photo = next
    }
    try sink.close()
    if !isRehearsal { try LivePhotoVerification.checkShowing(photo: FileByteSource(path: half.output)) }
    meter.photo(1)
    return removals
  }

  /// The time in the movie at which the photo was taken, or 0 if this time is unknown.
  var stillTime: Double {
    if let seconds = keyPhoto?.seconds { return seconds }
    guard let movie = job.movie, let source = try? FileByteSource(path: movie.source) else { return 0 }
    return (try? Movie(source, photoAt: job.stillPlace))?.stillImageTime ?? 0
  }

  /// The mapping from positions in the rendered picture to positions in the photo as displayed, both as fractions of
  /// width and height. The mapping is computed only for edits that need it.
  var source: PictureProjection {
    get throws {
      guard job.edit.local != nil else { return PictureProjection() }
      let metadata = try photo.metadata()
      let size = PixelSize(width: metadata.width, height: metadata.height).turned(
        by: job.edit.orientation)
      let places = try geometry.photoPlan(size, sampling: .grey)?.sources ?? PictureProjection()
      return places.then(PictureProjection(job.edit.orientation).inverse)
    }
  }

  /// Returns a note if the edit needs the photo's colour profile but cannot use it.
  func profileNotes() throws -> [Message] {
    guard !job.edit.keepsColors, let profile = try photo.iccProfile(), !ColorTable.canUse(profile: profile)
    else { return [] }
    return ["The photo's colour profile cannot be used, so its colours were treated as sRGB."]
  }
}

/// The photo of a job, opened once for all users, or the error that occurred when the photo was opened. The error is
/// thrown to the first user that needs the photo.
typealias OpenedPhoto = Result<Photo, any Error>

extension OpenedPhoto {
  /// - Parameter path: The path of the photo.
  init(path: String) {
    self.init { try Photo(FileByteSource(path: path)) }
  }
}
