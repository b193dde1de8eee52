import Basics
import EditModel
import Workflows

/// The explanation of the filter language for `list --help` and `help filters`.
enum FilterHelp {
  /// The paragraphs of the explanation.
  static let text: Message = """
    A filter compares fields with values, for example: kind = live and date >= 2024-05 and not edited
      =  !=  <  <=  >  >=      contains TEXT      like "IMG_*"      in A..B
      has FIELD      near 48.137,11.575 within 5km      dates disagree      and  or  not  ( )

    Text fields: \(fields(.text)).
    Number fields: \(fields(.number)).
    Date fields: \(fields(.date)), such as 2024, 2024-05 or 2024-05-26T09:27.
    Flags: \(fields(.flag)). With has: \(fields(.place)).
    kind is \(AssetField.kind.words.alternatives).
    subtype is \(AssetField.subtype.words.alternatives).

    Put a value with spaces in quotation marks, and quote the whole filter for the shell:
    --filter 'camera contains "iPhone 15"'. liveedit list omits hidden items unless the filter uses hidden.
    """

  private static func fields(_ kind: AssetField.ValueKind) -> String {
    AssetField.allCases.filter { $0.valueKind == kind }.map(\.rawValue).joined(separator: ", ")
  }
}
