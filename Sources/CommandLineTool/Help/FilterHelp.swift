import Basics
import EditModel
import Workflows

/// The language of filters, explained for `list --help` and `help filters`.
enum FilterHelp {
  /// The paragraphs.
  static let text: Message = """
    A filter compares fields with values, for instance: kind = live and date >= 2024-05 and not edited
      =  !=  <  <=  >  >=      contains TEXT      like "IMG_*"      in A..B
      has FIELD      near 48.137,11.575 within 5km      dates disagree      and  or  not  ( )

    Fields of text: \(fields(.text)).
    Fields of numbers: \(fields(.number)).
    Dates: \(fields(.date)), as 2024, 2024-05 or 2024-05-26T09:27.
    Flags: \(fields(.flag)). The place: \(fields(.place)), with has.
    kind is \(AssetField.kind.words.alternatives).
    subtype is \(AssetField.subtype.words.alternatives).

    A value with spaces stands in quotation marks, and the whole filter in others, for the shell:
    --filter 'camera contains "iPhone 15"'. liveedit list leaves hidden ones out unless the filter asks for
    hidden.
    """

  private static func fields(_ kind: AssetField.ValueKind) -> String {
    AssetField.allCases.filter { $0.valueKind == kind }.map(\.rawValue).joined(separator: ", ")
  }
}
