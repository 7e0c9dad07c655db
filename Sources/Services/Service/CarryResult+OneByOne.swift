import Messages

extension CarryResult {
  /// Sends acts one after another, up to the first failure that may pass.
  ///
  /// - Parameters:
  ///   - send: sends one act; false: the service has no such mark.
  ///   - failure: what a failure means at this service.
  init(
    oneByOne acts: some Sequence<OutgoingAct>,
    _ send: (OutgoingAct) async throws(ServiceFailure) -> Bool,
    failure meaning: (ServiceFailure) -> ServiceFailure = { $0 }
  ) async {
    self.init()
    for act in acts {
      do throws(ServiceFailure) {
        if try await send(act) { carried.insert(act.id) } else { refuse(act) }
      } catch {
        note(meaning(error), of: [act])
        if failure != nil { return }
      }
    }
  }
}
