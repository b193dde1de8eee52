import EditModel
import FoundationEssentials

/// Adjustment data in one line of the asset list of a batch or a plan.
struct CodedAdjustmentData: Codable {
  private let format: String
  private let formatVersion: String
  private let data: Data

  /// - Parameter adjustment: The adjustment data to write.
  init(_ adjustment: AdjustmentData) {
    (format, formatVersion, data) = (
      adjustment.formatIdentifier, adjustment.formatVersion, adjustment.data
    )
  }

  /// The adjustment data that was read.
  var adjustment: AdjustmentData {
    AdjustmentData(formatIdentifier: format, formatVersion: formatVersion, data: data)
  }
}
