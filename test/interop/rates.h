// The conversation about rates: securities, the market's state, streams, a new token.
#pragma once

#include "desk.h"

inline void marketDataRequest(FIX::Message& message, const char* subscription, const std::string& id,
                              const std::vector<std::string>& pairs, const std::string& token) {
  message.setField(FIX::FIELD::MDReqID, id);
  message.setField(FIX::FIELD::SubscriptionRequestType, subscription);
  message.setField(FIX::FIELD::MarketDepth, "1");
  message.setField(FIX::FIELD::MDUpdateType, "0");
  for (const char* side : {"0", "1"}) {
    FIX::Group entry(FIX::FIELD::NoMDEntryTypes, FIX::FIELD::MDEntryType);
    entry.setField(FIX::FIELD::MDEntryType, side);
    message.addGroup(entry);
  }
  for (auto& pair : pairs) {
    FIX::Group symbol(FIX::FIELD::NoRelatedSym, FIX::FIELD::Symbol);
    symbol.setField(FIX::FIELD::Symbol, pair);
    message.addGroup(symbol);
  }
  message.setField(AUTH_TOKEN, token);
}

// Each pair has had `count` prices under `id`; called with the lock of `wait`.
inline bool streamed(Desk& desk, const std::string& id, const std::vector<std::string>& pairs, int count) {
  for (auto& pair : pairs)
    if (desk.prices[id + " " + pair] < count) return false;
  return true;
}

inline bool converseAboutRates(Desk& desk, const std::vector<std::string>& pairs) {
  FIX::Message answer;
  if (!desk.wait("logon with a token", [&] { return desk.loggedOn() && !desk.token.empty(); })) return false;
  desk.send("x", [](FIX::Message& m) { m.setField(FIX::FIELD::SecurityReqID, "S1"); m.setField(FIX::FIELD::SecurityListRequestType, "4"); });
  if (!desk.wait("security list", "y", {{FIX::FIELD::NoRelatedSym, "*"}}, answer, 0)) return false;
  desk.send("g", [](FIX::Message& m) { m.setField(FIX::FIELD::TradSesReqID, "G1"); m.setField(FIX::FIELD::SubscriptionRequestType, "0"); });
  if (!desk.wait("market status", "h", {{FIX::FIELD::TradSesStatus, "*"}}, answer, 0)) return false;

  const std::string first = desk.token;
  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "1", "M1", pairs, first); });
  if (!desk.wait("snapshots", [&] { return streamed(desk, "M1", pairs, 1); })) return false;
  if (!desk.wait("stream", [&] { return streamed(desk, "M1", {pairs[0]}, 3); })) return false;

  desk.send("BE", [&](FIX::Message& m) {
    m.setField(FIX::FIELD::UserRequestID, "U1");
    m.setField(FIX::FIELD::UserRequestType, "1");
    m.setField(FIX::FIELD::Username, desk.key);
    m.setField(FIX::FIELD::Password, desk.secret);
  });
  if (!desk.wait("token renewed", [&] { return desk.received("BF") > 0 && !desk.token.empty() && desk.token != first; })) return false;
  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "1", "M2", {pairs[0]}, desk.token); });
  if (!desk.wait("stream on the new token", [&] { return streamed(desk, "M2", {pairs[0]}, 2); })) return false;

  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "2", "M2", {pairs[0]}, desk.token); });
  const int before = desk.pricesOf("M1", pairs[0]);
  return desk.wait("the other stream goes on", [&] { return desk.prices["M1 " + pairs[0]] > before; });
}
