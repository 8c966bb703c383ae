// The conversation about money: holds, streams of quotes, orders of each kind, what becomes of them, and what is heard of them after a broken line.
#pragma once

#include <quickfix/FixFields.h>
#include <quickfix/FixValues.h>
#include <quickfix/fix44/QuoteRequest.h>

#include "rates.h"

const std::string PAIR = "EUR/USD";
const int STREAM_QUOTES = 20018;
typedef std::map<int, std::string> Fields;

inline std::string inSeconds(int seconds) { return FIX::UtcTimeStampConvertor::convert(FIX::UtcTimeStamp(time(0) + seconds, 0), 3); }

// A request to buy euros, held; without a side for both, and with `streams` a quote at each change.
inline void ask(Desk& desk, const std::string& id, const std::string& amount, int seconds, const std::string& side = "1", bool streams = false) {
  desk.send("R", [&](FIX::Message& m) {
    m.setField(FIX::FIELD::QuoteReqID, id);
    // Typed: QuickFIX then writes the group's fields in the order of the specification.
    FIX44::QuoteRequest::NoRelatedSym asked;
    asked.setField(FIX::FIELD::Symbol, PAIR);
    asked.setField(FIX::FIELD::Product, "4");
    asked.setField(FIX::FIELD::SecurityType, "FOR");
    asked.setField(FIX::FIELD::QuoteType, "1");
    if (!side.empty()) asked.setField(FIX::FIELD::Side, side);
    asked.setField(FIX::FIELD::OrderQty, amount);
    asked.setField(FIX::FIELD::Currency, "EUR");
    asked.setField(FIX::FIELD::ValidUntilTime, inSeconds(seconds));
    m.addGroup(asked);
    m.setField(AUTH_TOKEN, desk.token);
    if (streams) m.setField(STREAM_QUOTES, "Y");
  });
}

// An order to buy euros; `more` adds to it, and replaces.
inline void order(Desk& desk, const std::string& id, const std::string& amount, const Fields& more, bool again = false) {
  desk.send("D", [&](FIX::Message& m) {
    Fields fields = {{11, id}, {55, PAIR}, {54, "1"}, {60, inSeconds(0)}, {38, amount}, {40, "1"}, {15, "EUR"}, {AUTH_TOKEN, desk.token}};
    for (auto& each : more) fields[each.first] = each.second;
    for (auto& each : fields) m.setField(each.first, each.second);
    if (again) m.getHeader().setField(FIX::FIELD::PossResend, "Y");
  });
}

// Sends, and waits for the ExecutionReport(8) that it asks for.
inline bool reported(Desk& desk, const std::string& step, std::function<void()> act, Expected expected, FIX::Message& report) {
  const size_t from = desk.mark();
  act();
  return desk.wait(step, "8", expected, report, from);
}

inline bool holds(Desk& desk, FIX::Message& quote) {
  FIX::Message answer;
  ask(desk, "RQ1", "250000", 60);
  if (!desk.wait("a hold", "S", {{131, "RQ1"}, {117, "*"}, {133, "*"}, {62, "*"}}, quote, 0)) return false;
  ask(desk, "RQ2", "1000", 60);
  if (!desk.wait("another", "S", {{131, "RQ2"}}, answer, 0)) return false;
  const std::string second = field(answer, FIX::FIELD::QuoteID);
  desk.send("AJ", [&](FIX::Message& m) {
    for (auto& each : Fields{{693, "P1"}, {117, second}, {694, "6"}, {55, PAIR}, {AUTH_TOKEN, desk.token}}) m.setField(each.first, each.second);
  });
  if (!desk.wait("released", "AI", {{693, "P1"}, {117, second}, {297, "6"}}, answer, 0)) return false;
  desk.send("a", [&](FIX::Message& m) {
    for (auto& each : Fields{{649, "A1"}, {117, second}, {55, PAIR}, {263, "0"}, {AUTH_TOKEN, desk.token}}) m.setField(each.first, each.second);
  });
  if (!desk.wait("how it stands", "AI", {{649, "A1"}, {117, second}, {297, "6"}}, answer, 0)) return false;
  ask(desk, "RQ3", "1000000000", 60);
  if (!desk.wait("a request refused", "AG", {{131, "RQ3"}, {658, "3"}, {ERROR_CODE, "AMOUNT_ABOVE_LIMIT"}}, answer, 0)) return false;
  ask(desk, "RQ4", "1000", 2);
  return desk.wait("a hold that ends", "AI", {{131, "RQ4"}, {297, "7"}, {ERROR_CODE, "HOLD_EXPIRED"}}, answer, 0);
}

inline bool orders(Desk& desk, const FIX::Message& quote) {
  FIX::Message report, again;
  const std::string hold = field(quote, FIX::FIELD::QuoteID);
  const Fields onHold = {{40, "D"}, {117, hold}};
  if (!reported(desk, "the hold booked", [&] { order(desk, "O1", "250000", onHold); },
                {{11, "O1"}, {150, "F"}, {39, "2"}, {31, field(quote, FIX::FIELD::OfferPx)}, {20006, hold}, {20016, field(quote, 20016)}}, report))
    return false;
  if (!reported(desk, "a streamed price booked", [&] { order(desk, "O2", "1000", {{40, "D"}, {117, desk.offerOf(PAIR)}}); },
                {{11, "O2"}, {150, "F"}}, again))
    return false;
  if (!reported(desk, "at the market", [&] { order(desk, "O3", "1000", {}); }, {{11, "O3"}, {150, "F"}}, again)) return false;
  if (!reported(desk, "at a limit", [&] { order(desk, "O4", "1000", {{40, "2"}, {44, "9.5"}}); }, {{11, "O4"}, {150, "F"}, {44, "9.5"}}, again))
    return false;
  if (!reported(desk, "a limit not met", [&] { order(desk, "O5", "1000", {{40, "2"}, {44, "0.5"}}); },
                {{11, "O5"}, {150, "8"}, {39, "8"}, {37, "NONE"}, {103, "99"}, {ERROR_CODE, "LIMIT_NOT_MET"}}, again))
    return false;
  const Expected first = {{11, "O1"}, {150, "I"}, {39, "2"}, {37, field(report, 37)}, {17, field(report, 17)}};
  if (!reported(desk, "the order asked about", [&] {
        desk.send("H", [&](FIX::Message& m) {
          for (auto& each : Fields{{11, "O1"}, {55, PAIR}, {54, "1"}, {AUTH_TOKEN, desk.token}}) m.setField(each.first, each.second);
        });
      }, first, again))
    return false;
  if (!reported(desk, "the order sent again", [&] { order(desk, "O1", "250000", onHold); }, first, again)) return false;
  if (!reported(desk, "the order sent again as such", [&] { order(desk, "O1", "250000", onHold, true); }, first, again)) return false;
  return reported(desk, "another under its id", [&] { order(desk, "O1", "1", {}); },
                  {{11, "O1"}, {150, "8"}, {103, "6"}, {ERROR_CODE, "REQUEST_ID_REUSED"}}, again);
}

inline void cancel(Desk& desk, const Fields& fields) {
  desk.send("Z", [&](FIX::Message& m) {
    for (auto& each : fields) m.setField(each.first, each.second);
    m.setField(AUTH_TOKEN, desk.token);
  });
}

inline bool bothSides(Desk& desk) {
  FIX::Message quote, report, answer;
  ask(desk, "RQ5", "1000", 60, "");
  if (!desk.wait("a hold of both sides", "S", {{131, "RQ5"}, {117, "*"}, {132, "*"}, {133, "*"}}, quote, 0)) return false;
  const Fields onHold = {{40, "D"}, {117, field(quote, FIX::FIELD::QuoteID)}, {54, "2"}};
  if (!reported(desk, "its bid booked", [&] { order(desk, "O7", "1000", onHold); },
                {{11, "O7"}, {150, "F"}, {54, "2"}, {31, field(quote, FIX::FIELD::BidPx)}}, report))
    return false;
  return reported(desk, "its offer not any more", [&] { order(desk, "O8", "1000", {{40, "D"}, {117, field(quote, FIX::FIELD::QuoteID)}}); },
                  {{11, "O8"}, {150, "8"}, {103, "6"}, {ERROR_CODE, "HOLD_USED"}}, report);
}

inline bool streams(Desk& desk) {
  FIX::Message quote, report, answer;
  ask(desk, "RS1", "1000", 600, "", true);
  ask(desk, "RS2", "1000", 600, "1", true);
  if (!desk.wait("a stream of both sides", "S", {{131, "RS1"}, {117, "*"}, {132, "*"}, {133, "*"}}, quote, 0)) return false;
  if (!desk.wait("a stream of one", "S", {{131, "RS2"}, {117, "*"}, {133, "*"}, {20016, "*"}}, answer, 0)) return false;
  const std::string first = field(quote, FIX::FIELD::QuoteID);
  const size_t from = desk.mark();
  if (!desk.wait("its next quote", "S", {{131, "RS1"}}, quote, from)) return false;
  if (field(quote, FIX::FIELD::QuoteID) == first) return false;
  if (!reported(desk, "a quote dealt", [&] { order(desk, "O9", "1000", {{40, "D"}, {117, field(quote, FIX::FIELD::QuoteID)}}); },
                {{11, "O9"}, {150, "F"}, {31, field(quote, FIX::FIELD::OfferPx)}}, report))
    return false;
  cancel(desk, {{131, "RS1"}, {117, first}, {298, "1"}});
  if (!desk.wait("the stream ended", "AI", {{131, "RS1"}, {117, "*"}, {297, "6"}}, answer, 0)) return false;
  if (!reported(desk, "its quote stale", [&] { order(desk, "O10", "1000", {{40, "D"}, {117, first}}); },
                {{11, "O10"}, {150, "8"}, {103, "8"}, {ERROR_CODE, "QUOTE_STALE"}}, report))
    return false;
  ask(desk, "RQ6", "1000", 60);
  if (!desk.wait("a hold beside it", "S", {{131, "RQ6"}, {117, "*"}}, quote, 0)) return false;
  cancel(desk, {{117, "*"}, {298, "4"}});
  if (!desk.wait("all streams ended", "AI", {{131, "RS2"}, {117, "*"}, {297, "6"}}, answer, 0)) return false;
  if (!desk.wait("all holds released", "AI", {{131, "RQ6"}, {117, field(quote, FIX::FIELD::QuoteID)}, {297, "6"}}, answer, 0)) return false;
  cancel(desk, {{117, "*"}, {298, "4"}});
  return desk.wait("nothing left to end", "AI", {{117, "*"}, {297, "9"}, {ERROR_CODE, "HOLD_NOT_FOUND"}}, answer, 0);
}

// The line breaks between the order and its report, and later the desk has lost what it had noted of the engine's numbers.
inline bool brokenLine(Desk& desk) {
  FIX::Message report;
  size_t from = desk.mark();
  order(desk, "O6", "1000", {});
  desk.session().disconnect();
  if (!desk.wait("logged on again", [&] { return desk.logons == 2 && desk.loggedOn(); })) return false;
  if (!desk.wait("the report of the order before", "8", {{11, "O6"}, {39, "2"}}, report, from)) return false;

  from = desk.mark();
  desk.session().disconnect();
  desk.session().setNextTargetMsgSeqNum(2);
  if (!desk.wait("once more", [&] { return desk.logons == 3 && desk.loggedOn(); })) return false;
  for (const char* id : {"O1", "O2", "O3", "O4", "O5", "O6"})
    if (!desk.wait(std::string("resent ") + id, "8", {{11, id}, {43, "Y"}}, report, from)) return false;
  return desk.wait("resent the copy of a split", "8", {{11, "REST-1"}, {150, "D"}, {39, "4"}, {43, "Y"}}, report, from);
}

// Whoever started this splits it, and cancels a part of it, over REST.
inline bool changes(Desk& desk, const FIX::Message& booked) {
  FIX::Message split, part, cancelled, report;
  const std::string id = field(booked, 37);
  if (!desk.wait("a copy of its split", "8", {{37, id}, {150, "D"}, {378, "99"}, {39, "4"}, {19, field(booked, 17)}, {797, "Y"}}, split, 0)) return false;
  if (!desk.wait("a copy of a part cancelled", "8", {{198, id}, {150, "H"}, {39, "4"}, {19, "*"}, {797, "Y"}}, cancelled, 0)) return false;
  if (!desk.wait("a copy of that part", "8", {{37, field(cancelled, 37)}, {150, "D"}, {378, "99"}, {39, "2"}, {17, field(cancelled, 19)}}, part, 0)) return false;
  if (!reported(desk, "the split order asked about", [&] {
        desk.send("H", [&](FIX::Message& m) {
          for (auto& each : Fields{{11, "REST-1"}, {55, PAIR}, {54, "1"}, {AUTH_TOKEN, desk.token}}) m.setField(each.first, each.second);
        });
      }, {{11, "REST-1"}, {150, "I"}, {39, "4"}, {17, field(split, 17)}}, report))
    return false;
  desk.send("AF", [&](FIX::Message& m) {
    for (auto& each : Fields{{584, "MS1"}, {585, "7"}, {AUTH_TOKEN, desk.token}}) m.setField(each.first, each.second);
  });
  if (!desk.wait("the part among all orders", "8", {{584, "MS1"}, {37, field(part, 37)}, {39, "4"}, {17, field(cancelled, 17)}}, report, 0)) return false;
  desk.send("AD", [&](FIX::Message& m) {
    for (auto& each : Fields{{568, "TR1"}, {569, "0"}, {AUTH_TOKEN, desk.token}}) m.setField(each.first, each.second);
  });
  return desk.wait("the part among all trades", "AE", {{568, "TR1"}, {17, field(cancelled, 17)}, {487, "1"}, {150, "H"}}, report, 0);
}

inline bool converseAboutMoney(Desk& desk) {
  FIX::Message quote, copy;
  if (!desk.wait("logon with a token", [&] { return desk.loggedOn() && !desk.token.empty(); })) return false;
  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "1", "M1", {PAIR}, desk.token); });
  if (!desk.wait("stream", [&] { return streamed(desk, "M1", {PAIR}, 2); })) return false;
  if (!holds(desk, quote) || !orders(desk, quote) || !bothSides(desk) || !streams(desk)) return false;
  // Whoever started this books it when he reads the line before.
  if (!desk.wait("a copy of what REST booked", "8", {{11, "REST-1"}, {150, "F"}, {797, "Y"}}, copy, 0)) return false;
  return changes(desk, copy) && brokenLine(desk);
}
