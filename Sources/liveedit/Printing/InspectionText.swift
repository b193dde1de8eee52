import EditModel
import FoundationEssentials
import LiveEdit

/// The contents of a file in columns.
struct InspectionText {
  private var columns = TextColumns()

  /// The lines.
  var lines: [String] { columns.lines }

  /// - Parameter inspection: the contents of the file.
  init(_ inspection: FileInspection) {
    if let photo = inspection.photo { add(photo, of: inspection) }
    if let movie = inspection.movie { add(movie, of: inspection) }
    if let adjustments = inspection.adjustments {
      columns.heading("\(inspection.file): adjustment data")
      add(adjustments)
    }
    for file in inspection.adjustmentFiles {
      columns.add("edit", file.file)
      if let content = file.content { add(content) } else { columns.add("", "cannot be read") }
    }
  }

  /// The orientation of a picture in words, by the number of the Exif tag.
  static func words(orientation: Int) -> String {
    guard let orientation = Orientation(rawValue: orientation) else { return "unknown" }
    let turn = orientation.degrees == 0 ? "" : "turned \(orientation.degrees)° clockwise"
    let parts = [orientation.isMirrored ? "mirrored" : "", turn].filter { !$0.isEmpty }
    return parts.isEmpty ? "upright" : parts.joined(separator: ", ")
  }

  private mutating func add(_ photo: PhotoInspection, of inspection: FileInspection) {
    let brand = photo.brand.map { ", brand \($0)" } ?? ""
    columns.heading("\(inspection.file): photo, \(photo.kind)\(brand), \(TextNumber.bytes(photo.size))")
    columns.add("note", photo.notes)
    let orientation = photo.orientation.map { "orientation \($0), \(Self.words(orientation: $0))" }
    columns.add(
      "picture",
      TextNumber.pixels(photo.width, photo.height).map { "\($0) stored, \(orientation ?? "no orientation")" })
    if let coding = photo.coding {
      columns.add(
        "coding",
        "\(coding.subsampling), \(coding.process), \(coding.entropyCoder), \(coding.precision) bit, "
          + TextNumber.count(coding.components, "component"))
    }
    if let png = photo.png {
      let more = [
        png.hasAlpha ? "alpha" : nil, png.isInterlaced ? "interlaced" : nil,
        png.isAnimated ? "animated" : nil,
      ].compactMap { $0 }
      columns.add("coding", (["\(png.colors), \(png.bitDepth) bit"] + more).joined(separator: ", "))
    }
    if let coding = photo.heif?.coding { columns.add("coding", HEIFText.line(coding)) }
    if let profile = photo.profile {
      columns.add("profile", "\(profile.name ?? "unnamed"), \(TextNumber.bytes(profile.size))")
    }
    let camera = [photo.make, photo.model, photo.software.map { "(\($0))" }].compactMap { $0 }
    columns.add("camera", camera.isEmpty ? nil : camera.joined(separator: " "))
    columns.add("taken", photo.captureDate)
    columns.add("identifier", photo.identifier ?? "none")
    addPair(inspection, "movie")
    columns.add(
      "metadata",
      rows: photo.metadata.map { block in
        let segments = block.segments > 1 ? " in \(TextNumber.count(block.segments, "segment"))" : ""
        return [block.name, TextNumber.bytes(block.size) + segments, block.detail ?? ""]
      })
    columns.add(
      "images",
      rows: photo.embeddedImages.map { image in
        [
          image.name, TextNumber.pixels(image.width, image.height) ?? "unknown", TextNumber.bytes(image.size),
        ]
      })
    if let heif = photo.heif {
      columns.add("items", rows: HEIFText.rows(heif))
      columns.add("tracks", rows: (heif.tracks ?? []).map(HEIFText.row))
      columns.add(
        "groups", heif.groups.map { "\($0.kind): " + $0.members.map { String($0) }.joined(separator: ", ") })
    }
    if photo.isMotionPhoto { columns.add("motion photo", "a movie is inside the file") }
    if let trailing = photo.trailingBytes, trailing > 0 {
      columns.add("trailing", "\(TextNumber.bytes(trailing)) behind the picture")
    }
  }

  private mutating func add(_ movie: MovieInspection, of inspection: FileInspection) {
    let brand = movie.brand.map { "brand “\($0)”" } ?? "no brand"
    columns.heading("\(inspection.file): movie, \(brand), \(TextNumber.bytes(movie.size))")
    columns.add(
      "duration", "\(TextNumber.short(movie.seconds)) s (\(movie.duration) ticks of 1/\(movie.timeScale) s)")
    columns.add("created", movie.created)
    columns.add("identifier", movie.identifier ?? "none")
    addPair(inspection, "photo")
    columns.add(
      "still image", movie.stillImageTime.map { "\(TextNumber.short($0)) s" } ?? "no still-image-time")
    columns.add("atoms", movie.atoms.map { "\($0.type) \($0.size)" }.joined(separator: ", "))
    columns.add("unknown", movie.unknownAtoms.isEmpty ? nil : movie.unknownAtoms.joined(separator: ", "))
    for track in movie.tracks { columns.add("track \(track.number)", TrackText.lines(track)) }
    columns.add("keys", rows: movie.keys.map { [$0.name, $0.typeName, $0.value.description] })
  }

  private mutating func addPair(_ inspection: FileInspection, _ other: String) {
    columns.add(
      "pair",
      inspection.pair.isEmpty
        ? ["no \(other) of the same name"]
        : inspection.pair.map { pair in
          let state =
            switch pair.isSame {
            case true?: "same identifier"
            case false?: pair.identifier.map { "another identifier: \($0)" } ?? "no identifier"
            case nil: "identifiers were not compared"
            }
          return "\(pair.file), \(state)"
        })
  }

  private mutating func add(_ content: AdjustmentInspection) {
    let editor = content.editor.isEmpty ? "" : " by \(content.editor)"
    columns.add("", "\(content.formatIdentifier) \(content.formatVersion)\(editor)")
    columns.add("", content.timestamp.map { "made \(Self.value($0))" })
    switch content.reading {
    case .opaque: columns.add("", "\(TextNumber.bytes(content.dataSize)) of an unknown format")
    case .damaged: columns.add("", "its data is damaged")
    case .own, .shown: break
    }
    if let words = content.words { return columns.add("", words) }
    columns.add(
      "",
      rows: content.adjustments.map { adjustment in
        let state = adjustment.isEnabled ? "" : "(off) "
        return [adjustment.identifier, state + Self.value(adjustment.settings)]
      })
  }

  /// A value on one line; long ones are cut, `--json` has all of them.
  private static func value(_ value: StructuredValue) -> String {
    let text = words(value)
    return text.count > 240 ? text.prefix(240) + "…" : text
  }

  private static func words(_ value: StructuredValue) -> String {
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
    case .integer(let number): String(number)
    case .number(let number): TextNumber.short(number)
    case .boolean(let value): value ? "yes" : "no"
    case .data(let bytes): TextNumber.bytes(bytes.count)
    case .date(let date): date.formatted(.iso8601)
    case .null: "none"
    }
  }
}
