import EditLibrary

extension FuzzTarget {
  /// Fuzzes asset filters.
  static let filter = FuzzTarget(
    "filter",
    words: [
      "and", "or", "not", "(", ")", "=", "!=", "<=", ">=", "like", "near", "within", "km", "kind", "live",
      "date", "today",
      "yesterday", "last", "days", "favourite", "hidden", "edited", "camera", "name", "album", "is", "has",
      "contains",
      "subtype", "2024-05-06T07:08:09+02:00", "\"", "'",
    ],
    seeds: { name, _ in
      name.isEmpty
        ? [
          "kind = live and date >= 2024-05", "favourite and near 48.137,11.575 within 5km",
          "not (hidden or edited)",
          "name like \"IMG_*\" and camera contains 'iPhone'", "duration > 2.5 or width <= 4032",
          "album = \"Summer 2024\"",
        ].map { Array($0.utf8) } : []
    },
    body: { input in
      let text = String(decoding: input.prefix(1 << 16), as: UTF8.self)
      do throws(FilterError) {
        _ = try AssetFilter(text)
      } catch {
        expect((0...text.count).contains(error.position), "an error lies beyond its text: \(error.position)")
        expect(!error.description.isEmpty, "an error says nothing")
      }
    })
}
