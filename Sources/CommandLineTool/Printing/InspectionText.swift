import Basics
import EditModel
import FoundationEssentials
import Workflows

/// The contents of a file, arranged in columns.
struct InspectionText {
  private var columns = TextColumns()

  /// The lines of text.
  var lines: [Message] { columns.lines }

  /// - Parameter inspection: The contents of the file.
  init(_ inspection: FileInspection) {
    if let photo = inspection.photo { add(photo, of: inspection) }
    if let movie = inspection.movie { add(movie, of: inspection) }
    if let adjustments = inspection.adjustments {
      columns.heading("\(inspection.file): adjustment data")
      add(adjustments)
    }
    for file in inspection.adjustmentFiles {
      columns.add("edit", "\(file.file)")
      if let content = file.content { add(content) } else { columns.add("", "cannot be read") }
    }
  }

  /// Describes the orientation of a picture. The orientation is given as the value of the Exif tag.
  static func words(orientation: Int) -> Message {
    guard let orientation = Orientation(rawValue: orientation) else { return "unknown" }
    switch (orientation.isMirrored, orientation.degrees) {
    case (false, 0): return "upright"
    case (true, 0): return "mirrored"
    case (false, let degrees): return "rotated \(degrees)° clockwise"
    case (true, let degrees): return "mirrored, rotated \(degrees)° clockwise"
    }
  }

  private mutating func add(_ photo: PhotoInspection, of inspection: FileInspection) {
    let brand: Message = photo.brand.map { ", brand \($0)" } ?? ""
    columns.heading("\(inspection.file): photo, \(photo.kind)\(brand), \(TextNumber.bytes(photo.size))")
    columns.add("note", photo.notes)
    if let pixels = TextNumber.pixels(photo.width, photo.height) {
      columns.add(
        "picture",
        photo.orientation.map { "\(pixels) stored, orientation \($0), \(Self.words(orientation: $0))" }
          ?? "\(pixels) stored, no orientation")
    }
    if let coding = photo.coding {
      columns.add(
        "coding",
        "\(coding.subsampling), \(coding.process), \(coding.entropyCoder), \(coding.precision) bit, \(TextNumber.count(coding.components, "component"))"
      )
    }
    if let png = photo.png {
      var words: [Message] = ["\(png.colors), \(png.bitDepth) bit"]
      if png.hasAlpha { words.append("alpha") }
      if png.isInterlaced { words.append("interlaced") }
      if png.isAnimated { words.append("animated") }
      columns.add("coding", words.joined(separator: ", "))
    }
    if let coding = photo.heif?.coding { columns.add("coding", HEIFText.line(coding)) }
    if let profile = photo.profile {
      columns.add(
        "profile",
        profile.name.map { "\($0), \(TextNumber.bytes(profile.size))" }
          ?? "unnamed, \(TextNumber.bytes(profile.size))")
    }
    let camera = [photo.make, photo.model, photo.software.map { "(\($0))" }].compactMap { $0 }
    columns.add("camera", camera.isEmpty ? nil : "\(camera.joined(separator: " "))")
    columns.add("taken", photo.captureDate.map { "\($0)" })
    columns.add("identifier", photo.identifier.map { "\($0)" } ?? "none")
    addPair(inspection, nobody: "no movie of the same name")
    columns.add(
      "metadata",
      rows: photo.metadata.map { block in
        let size: Message =
          block.segments > 1
          ? "\(TextNumber.bytes(block.size)) in \(TextNumber.count(block.segments, "segment"))"
          : TextNumber.bytes(block.size)
        return ["\(block.name)", size, "\(block.detail ?? "")"]
      })
    columns.add(
      "images",
      rows: photo.embeddedImages.map { image in
        [
          "\(image.name)", TextNumber.pixels(image.width, image.height).map { "\($0)" } ?? "unknown",
          TextNumber.bytes(image.size),
        ]
      })
    if let heif = photo.heif {
      columns.add("items", rows: HEIFText.rows(heif))
      columns.add("tracks", rows: (heif.tracks ?? []).map(HEIFText.row))
      columns.add(
        "groups",
        heif.groups.map { "\($0.kind): \($0.members.map { String($0) }.joined(separator: ", "))" })
    }
    if photo.isMotionPhoto { columns.add("motion photo", "a movie is inside the file") }
    columns.add(
      "other movie",
      photo.unknownMovies.map { movie in
        "\(TextNumber.bytes(movie.size)) at byte \(movie.offset), brand “\(movie.brand)”, in an unknown layout; edits remove it"
      })
    if let trailing = photo.trailingBytes, trailing > 0 {
      columns.add("trailing", "\(TextNumber.bytes(trailing)) after the picture")
    }
  }

  private mutating func add(_ movie: MovieInspection, of inspection: FileInspection) {
    let brand: Message = movie.brand.map { "brand “\($0)”" } ?? "no brand"
    columns.heading("\(inspection.file): movie, \(brand), \(TextNumber.bytes(movie.size))")
    columns.add(
      "duration",
      "\(decimal: TextNumber.short(movie.seconds)) s (\(movie.duration) ticks of 1/\(movie.timeScale) s)")
    columns.add("created", movie.created.map { "\($0)" })
    columns.add("identifier", movie.identifier.map { "\($0)" } ?? "none")
    addPair(inspection, nobody: "no photo of the same name")
    columns.add(
      "still image",
      movie.stillImageTime.map { "\(decimal: TextNumber.short($0)) s" } ?? "no still-image-time")
    columns.add("atoms", "\(movie.atoms.map { "\($0.type) \($0.size)" }.joined(separator: ", "))")
    columns.add("unknown", movie.unknownAtoms.isEmpty ? nil : "\(movie.unknownAtoms.joined(separator: ", "))")
    for track in movie.tracks { columns.add("track \(track.number)", TrackText.lines(track)) }
    columns.add("keys", rows: movie.keys.map { ["\($0.name)", "\($0.typeName)", "\($0.value.description)"] })
  }

  private mutating func addPair(_ inspection: FileInspection, nobody: Message) {
    columns.add(
      "pair",
      inspection.pair.isEmpty
        ? [nobody]
        : inspection.pair.map { pair in
          switch pair.isSame {
          case true?: "\(pair.file), same identifier"
          case false?:
            pair.identifier.map { "\(pair.file), different identifier: \($0)" }
              ?? "\(pair.file), no identifier"
          case nil: "\(pair.file), identifiers not compared"
          }
        })
  }

  private mutating func add(_ content: AdjustmentInspection) {
    let format = "\(content.formatIdentifier) \(content.formatVersion)"
    columns.add("", content.editor.isEmpty ? "\(format)" : "\(format) by \(content.editor)")
    columns.add("", content.timestamp.map { "made \(Self.value($0))" })
    switch content.reading {
    case .opaque: columns.add("", "\(TextNumber.bytes(content.dataSize)) in an unknown format")
    case .damaged: columns.add("", "damaged data")
    case .own, .shown: break
    }
    if let words = content.words { return columns.add("", words) }
    columns.add(
      "",
      rows: content.adjustments.map { adjustment in
        let settings = Self.value(adjustment.settings)
        return ["\(adjustment.identifier)", adjustment.isEnabled ? "\(settings)" : "(off) \(settings)"]
      })
  }

  /// Formats a value on a single line. Long values are truncated; `--json` prints long values in full.
  private static func value(_ value: JSONValue) -> String {
    let text = words(value)
    return text.count > 240 ? text.prefix(240) + "…" : text
  }

  private static func words(_ value: JSONValue) -> String {
    switch value {
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { name, value in
        switch value {
        case .object, .array: "\(name) {\(words(value))}"
        default: "\(name) \(words(value))"
        }
      }.joined(separator: ", ")
    case .array(let elements): elements.map(words).joined(separator: "; ")
    case .string(let text): text
    case .message(let message): message.description
    case .integer(let number): String(number)
    case .decimal: value.canonicalText
    case .number(let number): TextNumber.short(number)
    case .boolean(let value): value ? "yes" : "no"
    case .data(let bytes): TextNumber.bytes(bytes.count).spoken
    case .date(let date): date.formatted(.iso8601)
    case .null: "none"
    }
  }
}
