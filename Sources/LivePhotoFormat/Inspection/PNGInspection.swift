extension PhotoInspection {
  /// Reads the metadata from the chunks of a PNG.
  mutating func read(_ file: PNGFile) throws {
    let (exif, layout) = (try file.exif(), file.layout)
    png = PNGCoding(
      colors: layout.colors == .palette ? "palette" : layout.colors.isGrey ? "grey" : "truecolour",
      bitDepth: layout.bitDepth, hasAlpha: layout.colors.hasAlpha || file.chunk("tRNS") != nil,
      isInterlaced: layout.isInterlaced, isAnimated: file.chunk("acTL") != nil)
    var blocks: [MetadataBlock] = []
    for chunk in file.chunks where !["IHDR", "PLTE", "IDAT", "fdAT", "fcTL", "IEND"].contains(chunk.kind) {
      guard blocks.count < 256 else { break }
      let size = chunk.content.count
      switch chunk.kind {
      case "eXIf":
        blocks +=
          exif.map { MetadataBlock.list(exif: $0, size: size) }
          ?? [MetadataBlock(name: "Exif", size: size, detail: "damaged")]
      case "iCCP": blocks.append(MetadataBlock(name: "ICC profile", size: size))
      case "caBX": blocks.append(MetadataBlock(name: "C2PA manifest", size: size))
      case "tEXt", "zTXt", "iTXt":
        let keyword = PNGChunks.keyword((try? file.content(chunk)) ?? [])
        let isXMP = keyword == "XML:com.adobe.xmp"
        blocks.append(
          MetadataBlock(name: isXMP ? "XMP" : "text", size: size, detail: isXMP ? nil : keyword))
      default: blocks.append(MetadataBlock(name: chunk.kind.description, size: size))
      }
    }
    let thumbnail = exif.flatMap(\.thumbnail).map { [EmbeddedImage("Exif thumbnail", jpeg: $0)] } ?? []
    set(
      blocks, orientation: exif?.orientation?.rawValue, software: exif?.text(0x0131, in: .main),
      profile: try file.iccProfile().map(ICCProfile.init), images: thumbnail,
      trailing: file.source.count - file.end)
  }
}
