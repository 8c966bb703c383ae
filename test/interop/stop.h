// The conversation of a desk to which its price is disclosed, and which then stops all its trading.
#pragma once

#include "money.h"

const int MID_PRICE = 20020, PRICE_AGE = 20021, PRICE_PROVIDERS = 20022;

inline void massCancel(Desk& desk, const std::string& id, const Fields& more) {
  desk.send("q", [&](FIX::Message& m) {
    Fields fields = {{11, id}, {530, "7"}, {60, inSeconds(0)}, {AUTH_TOKEN, desk.token}};
    for (auto& each : more) fields[each.first] = each.second;
    for (auto& each : fields) m.setField(each.first, each.second);
  });
}

// Each report of a booking has mid, age and providers of its price; the report of a status does not.
inline bool disclosed(Desk& desk) {
  FIX::Message quote, report;
  const Expected booked = {{150, "F"}, {MID_PRICE, "*"}, {PRICE_AGE, "*"}, {PRICE_PROVIDERS, "*"}, {20003, "*"}, {20004, "*"}, {20009, "*"}};
  const auto expected = [&](const char* id) { Expected all = booked; all[11] = id; return all; };
  ask(desk, "RQ1", "250000", 60);
  if (!desk.wait("a hold", "S", {{131, "RQ1"}, {117, "*"}, {133, "*"}}, quote, 0)) return false;
  const Fields onHold = {{40, "D"}, {117, field(quote, FIX::FIELD::QuoteID)}};
  if (!reported(desk, "the price of a hold", [&] { order(desk, "O1", "250000", onHold); }, expected("O1"), report)) return false;
  if (!reported(desk, "of a streamed price", [&] { order(desk, "O2", "1000", {{40, "D"}, {117, desk.offerOf(PAIR)}}); }, expected("O2"), report))
    return false;
  if (!reported(desk, "of the market", [&] { order(desk, "O3", "1000", {}); }, expected("O3"), report)) return false;
  ask(desk, "RS1", "1000", 600, "", true);
  if (!desk.wait("a stream of quotes", "S", {{131, "RS1"}, {117, "*"}, {132, "*"}, {133, "*"}}, quote, 0)) return false;
  return reported(desk, "of a quote", [&] { order(desk, "O4", "1000", {{40, "D"}, {117, field(quote, FIX::FIELD::QuoteID)}}); }, expected("O4"), report);
}

// Only the operator resumes the company: the test does it at the line "no hold".
inline bool stopped(Desk& desk) {
  FIX::Message answer, again;
  massCancel(desk, "Q1", {{530, "1"}, {55, PAIR}});
  if (!desk.wait("one security is not stopped", "r", {{11, "Q1"}, {530, "1"}, {531, "0"}, {532, "0"}, {37, "NONE"}}, answer, 0)) return false;
  massCancel(desk, "Q2", {{58, "orders without end"}});
  if (!desk.wait("all is stopped", "r", {{11, "Q2"}, {530, "7"}, {531, "7"}, {533, "0"}, {60, "*"}, {37, "*"}}, answer, 0)) return false;
  massCancel(desk, "Q3", {});
  if (!desk.wait("it was stopped", "r", {{11, "Q3"}, {531, "7"}, {60, field(answer, 60)}}, again, 0)) return false;
  if (!desk.wait("its price withdrawn", [&] { return desk.offers[PAIR].empty(); })) return false;
  if (!desk.wait("its stream of quotes without one", "Z", {{131, "RS1"}, {298, "1"}, {ERROR_CODE, "TRADING_HALTED"}}, answer, 0)) return false;
  if (!reported(desk, "no order", [&] { order(desk, "O5", "1000", {}); },
                {{11, "O5"}, {39, "8"}, {103, "2"}, {ERROR_CODE, "TRADING_HALTED"}}, answer))
    return false;
  ask(desk, "RQ2", "1000", 60);
  if (!desk.wait("no hold", "AG", {{131, "RQ2"}, {658, "2"}, {ERROR_CODE, "TRADING_HALTED"}}, answer, 0)) return false;
  if (!desk.wait("its price again", [&] { return !desk.offers[PAIR].empty(); })) return false;
  return reported(desk, "an order again", [&] { order(desk, "O6", "1000", {}); }, {{11, "O6"}, {150, "F"}}, answer);
}

inline bool converseAboutStop(Desk& desk) {
  if (!desk.wait("logon with a token", [&] { return desk.loggedOn() && !desk.token.empty(); })) return false;
  desk.send("V", [&](FIX::Message& m) { marketDataRequest(m, "1", "M1", {PAIR}, desk.token); });
  if (!desk.wait("stream", [&] { return streamed(desk, "M1", {PAIR}, 2); })) return false;
  return disclosed(desk) && stopped(desk);
}
