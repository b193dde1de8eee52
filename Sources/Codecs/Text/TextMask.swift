import Basics
internal import CPango

/// A line of text, rendered as a coverage mask. The mask states how much of each pixel the letters cover. Pango lays
/// out the text. Every script is therefore shaped correctly, and letters can come from any font on the system.
package struct TextMask: Sendable {
  /// The width of the picture in pixels.
  package let width: Int
  /// The height of the picture in pixels.
  package let height: Int
  /// The coverage of each pixel, row by row, from 0 (not covered) to 255 (completely covered).
  package let coverage: [UInt8]

  /// The font family, which contains the letters of most alphabets. Letters that are missing from this font come from
  /// other fonts.
  private static let family = "DejaVu Sans"
  /// The maximum number of letters. A line of a contact sheet cannot show this many letters.
  private static let mostLetters = 400

  /// Lays out and draws a line of text.
  ///
  /// - Parameters:
  ///   - text: The text of the line. Line breaks and control characters are shown as spaces.
  ///   - pixels: The font size, which is the height of the em square in pixels.
  ///   - isBold: Whether the letters are bold.
  ///   - mostColumns: The maximum width in pixels, which must be at least 1. A longer line is shortened in the middle,
  ///     and an ellipsis marks the gap.
  /// - Throws: ``MediaError`` if memory runs out.
  package init(_ text: String, pixels: Int, isBold: Bool = false, mostColumns: Int) throws {
    let letters = text.prefix(Self.mostLetters).map { $0.isNewline ? " " : $0 }
    // Control characters have no glyphs, and could change the direction of the subsequent text.
    let line = String(letters).unicodeScalars.filter {
      $0.value >= 32 && $0.properties.generalCategory != .control
    }
    var utf8 = Array(String(String.UnicodeScalarView(line)).utf8).map { CChar(bitPattern: $0) }
    utf8.append(0)
    guard let map = pango_cairo_font_map_new(), let context = pango_font_map_create_context(map),
      let layout = pango_layout_new(context), let font = pango_font_description_new()
    else { throw MediaError("the text cannot be drawn") }
    defer {
      pango_font_description_free(font)
      g_object_unref(UnsafeMutableRawPointer(layout))
      g_object_unref(UnsafeMutableRawPointer(context))
      g_object_unref(UnsafeMutableRawPointer(map))
    }
    pango_font_description_set_family(font, Self.family)
    pango_font_description_set_weight(font, isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    pango_font_description_set_absolute_size(font, Double(pixels) * Double(PANGO_SCALE))
    pango_layout_set_font_description(layout, font)
    pango_layout_set_single_paragraph_mode(layout, 1)
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_MIDDLE)
    pango_layout_set_width(layout, Int32(clamping: mostColumns) &* PANGO_SCALE)
    pango_layout_set_text(layout, utf8, -1)
    // The width is the logical width of the line, so that both left-to-right and right-to-left text can be aligned.
    var (ink, logical) = (PangoRectangle(), PangoRectangle())
    pango_layout_get_pixel_extents(layout, &ink, &logical)
    let columns = min(max(Int(logical.width), 1), mostColumns)
    let rows = min(max(Int(logical.height), 1), 4 * pixels + 8)
    (width, height) = (columns, rows)

    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(columns), Int32(rows)),
      let drawing = cairo_create(surface)
    else { throw MediaError("the text cannot be drawn") }
    defer {
      cairo_destroy(drawing)
      cairo_surface_destroy(surface)
    }
    cairo_move_to(drawing, -Double(logical.x), -Double(logical.y))
    pango_cairo_show_layout(drawing, layout)
    cairo_surface_flush(surface)
    let stride = Int(cairo_image_surface_get_stride(surface))
    guard cairo_status(drawing) == CAIRO_STATUS_SUCCESS, stride >= columns,
      let data = cairo_image_surface_get_data(surface)
    else { throw MediaError("the text cannot be drawn") }
    var coverage: [UInt8] = []
    coverage.reserveCapacity(columns * rows)
    for row in 0..<rows {
      coverage += UnsafeBufferPointer(start: data + row * stride, count: columns)
    }
    self.coverage = coverage
  }
}
