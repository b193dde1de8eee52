import EditModel
import FoundationEssentials

/// Adjustment data in a line of a list of assets: of a batch, of a plan.
struct CodedAdjustmentData: Codable {
  private let format: String
  private let formatVersion: String
  private let data: Data

  /// - Parameter adjustment: what is to be written.
  init(_ adjustment: AdjustmentData) {
    (format, formatVersion, data) = (
      adjustment.formatIdentifier, adjustment.formatVersion, adjustment.data
    )
  }

  /// The data as it was read.
  var adjustment: AdjustmentData {
    AdjustmentData(formatIdentifier: format, formatVersion: formatVersion, data: data)
  }
}
