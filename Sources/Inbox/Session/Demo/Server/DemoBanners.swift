import Basics
import Foundation

/// Serves the sample campaigns with this server's URL.
enum DemoBanners {
  /// The URL in the samples.
  private static let publisher = "http://127.0.0.1:8099"

  private static let files: [String: [UInt8]] = [
    "control.json": PackageResources.control_json, "tip.html": PackageResources.tip_html,
    "tour-small.html": PackageResources.tour_small_html, "tour.html": PackageResources.tour_html,
    "update.html": PackageResources.update_html,
  ]

  /// - Parameter server: this server's URL; files are under its `/banners`.
  /// - Returns: `nil` if there is no such file.
  static func file(_ name: String, server: String) -> (text: String, type: String)? {
    guard let bytes = files[name] else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).replacingBytes(publisher, with: "\(server)/banners")
    return (text, name.hasSuffix(".json") ? "application/json" : "text/html; charset=utf-8")
  }
}
