extension HEIFFile {
  /// The items that are small versions of the photo (`thmb`, ISO/IEC 23008-12 section 6.4.4).
  public var thumbnails: [UInt32] { sources("thmb", to: primaryItem) }
}
