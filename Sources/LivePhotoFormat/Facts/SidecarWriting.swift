import Basics
import EditModel

/// Creates the sidecar of a render. The sidecar repeats the date, location and description of the rendered files.
extension SidecarFacts {
  /// Reads a render's date and location, and its description from the XMP or the QuickTime keys.
  ///
  /// - Parameters:
  ///   - source: The render.
  ///   - isPhoto: Whether the render is a photo rather than a movie.
  /// - Throws: ``MediaError`` if the render is damaged, or any error that `source` throws.
  package init(saidBy source: any ByteSource, isPhoto: Bool) throws {
    if isPhoto {
      let photo = try Photo(source)
      let metadata = try photo.metadata()
      (created, location) = (metadata.created, metadata.location)
      if let packet = try photo.container.xmp().flatMap({ try XMPPacket($0) }) {
        description = packet.description
      }
      return
    }
    let movie = try MovieMetadata(reading: source)
    (created, location) = (movie.created, movie.location)
    guard let place = try FileAtom.scan(source).first(where: { $0.kind == "moov" }),
      let keys = try? MovieKeys(Movie.moov(at: place, in: source))
    else { return }
    func text(_ name: String) -> String? { keys.text("com.apple.quicktime." + name) }
    description.title = text("title")
    description.caption = text("description")
    for word in (text("keywords") ?? "").split(separator: ",") { description.keywords.add(String(word)) }
    let rating = keys.items.first { $0.name == "com.apple.quicktime.rating.user" }
    if case .float(let stars)? = rating.map({ MetadataValue(type: $0.type, bytes: $0.value) }) {
      description.rating = Int(exactly: stars).flatMap { 1...5 ~= $0 ? $0 : nil }
    }
  }

  /// The sidecar as an XMP packet (XMP specification part 3, section 1.1).
  package var bytes: [UInt8] {
    guard var packet = try? XMPPacket(XMPPacket.empty) else { return [] }
    packet.change(description: description, keywords: [])
    var content = ""
    func add(_ name: String, _ text: String?) { if let text { content += "<\(name)>\(text)</\(name)>" } }
    add("exif:DateTimeOriginal", created?.text)
    add("photoshop:DateCreated", created?.text)
    if let location {
      for local in ["GPSLatitude", "GPSLongitude", "GPSAltitudeRef", "GPSAltitude"] {
        add("exif:" + local, XMPPacket.text(of: location, local))
      }
    }
    if !content.isEmpty { packet.addDescription(content) }
    return packet.rewritten() + [0x0A]
  }
}
