//! The status JSON: what serves now, what failed, why and since when. Names only, never a URL;
//! what is not known is `null`, never 0.

use super::heads::{Head, Lag};
use super::minutes::{Minute, Minutes};
use super::orders::{Drill, Orders};
use super::region::Logged;
use super::score::{Digest, Score, Shown, scores};
use super::stats::{LastFailure, MethodTally, Tally};
use super::wire::{Chain, Local, Rest};
use crate::breaker::machine::{Breaker, State};
use crate::breaker::throttle::Why;
use crate::config::{Currency, Endpoint, Mode, Protocol, Route};
use crate::json::{Maybe, Raw, written};
use crate::time::Millis;

/// One route.
#[derive(Debug, Clone)]
pub struct RouteStatus {
    /// Public name.
    pub route: String,
    /// `evm` or `x402`.
    pub protocol: String,
    /// EIP-155 chain id.
    pub chain_id: Option<u64>,
    /// What people call the chain.
    pub chain_name: Option<String>,
    /// What is paid there.
    pub currency: Option<Currency>,
    /// `ordered`, `weighted` or `quorum`.
    pub mode: String,
    /// Whose view it is: a region's name, `global`, or `isolate`.
    pub region: String,
    /// When it was made.
    pub now_ms: Millis,
    /// The endpoint that is asked first now; `null` when none is fit.
    pub serving: Option<String>,
    /// The values in force.
    pub config: Effective,
    /// In configured order.
    pub endpoints: Vec<EndpointStatus>,
    /// Newest first.
    pub transitions: Vec<Logged>,
}

written!(RouteStatus {
    route,
    protocol,
    chain_id,
    chain_name,
    currency,
    mode,
    region,
    now_ms,
    serving,
    config,
    endpoints,
    transitions
});

/// Configuration values in force.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "named as the configuration keys")]
pub struct Effective {
    pub attempt_timeout_ms: Option<u64>,
    pub total_timeout_ms: u64,
    pub max_attempts: u32,
    pub trip_after: u32,
    pub trip_ratio: f64,
    pub trip_min: u32,
    pub trip_window_ms: u64,
    pub cooldown_ms: u64,
    pub cooldown_max_ms: u64,
    pub close_after: u32,
}

written!(Effective {
    attempt_timeout_ms,
    total_timeout_ms,
    max_attempts,
    trip_after,
    trip_ratio,
    trip_min,
    trip_window_ms,
    cooldown_ms,
    cooldown_max_ms,
    close_after
});

/// One endpoint.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "named and told in docs/operating.md")]
pub struct EndpointStatus {
    pub name: String,
    pub state: String,
    pub local_state: Option<String>,
    pub since_ms: Millis,
    pub consecutive_failures: u32,
    pub probe_successes: u32,
    pub retry_at_ms: Option<Millis>,
    pub enabled: bool,
    pub throttled_until_ms: Option<Millis>,
    pub trips_total: u64,
    pub head: Option<u64>,
    pub head_age_ms: Option<u64>,
    pub lag_blocks: Option<u64>,
    pub finalized: Option<u64>,
    pub finalized_lag_blocks: Option<u64>,
    pub chain_id: Option<Chain>,
    pub requests: u64,
    pub failures: u64,
    /// The last hour, oldest first: attempts and failed ones of each minute.
    pub minutes: Vec<Minute>,
    pub latency_ms: Latency,
    pub methods: Vec<(String, MethodTally)>,
    pub gaps: Vec<String>,
    pub slow: u64,
    pub disagreements: u64,
    pub weight: Option<u32>,
    pub score: Option<Score>,
    pub last_failure: Option<LastFailure>,
    pub fault: Option<Drill>,
    /// For the operator only.
    pub error_replies: Maybe<Raw<String>>,
    /// Why it rests now; for metrics only, as all below.
    pub resting: Option<Why>,
    /// Whether it is too far behind.
    pub behind: Option<bool>,
}

written!(EndpointStatus {
    name,
    state,
    local_state,
    since_ms,
    consecutive_failures,
    probe_successes,
    retry_at_ms,
    enabled,
    throttled_until_ms,
    trips_total,
    head,
    head_age_ms,
    lag_blocks,
    finalized,
    finalized_lag_blocks,
    chain_id,
    requests,
    failures,
    minutes,
    latency_ms,
    methods,
    gaps,
    slow,
    disagreements,
    weight,
    score,
    last_failure,
    fault,
    error_replies
});

/// Latency of the answers, as upper bounds of buckets.
#[derive(Debug, Clone, Copy)]
pub struct Latency {
    /// Half of the answers were at most this slow.
    pub p50: Option<u64>,
    /// 99 of 100 were.
    pub p99: Option<u64>,
}

written!(Latency { p50, p99 });

/// What the one who tells knows of an endpoint.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// Its breaker.
    pub breaker: &'a Breaker,
    /// Its rest.
    pub rest: Option<Rest>,
    /// Its counts.
    pub tally: &'a Tally,
    /// Its last hour; `None`: nobody kept it.
    pub minutes: Option<&'a Minutes>,
    /// Its newest head.
    pub head: Option<Head>,
    /// How far it is behind.
    pub lag: Option<Lag>,
    /// What stands of the operator's orders.
    pub orders: Orders,
    /// Its newest finalized block.
    pub finalized: Option<u64>,
    /// How far that is behind the others'.
    pub finalized_lag: Option<Lag>,
    /// Whether it serves the route's chain.
    pub chain: Option<Chain>,
    /// What it showed lately.
    pub recent: Digest,
}

impl RouteStatus {
    /// The status by somebody's facts, `facts(i)` being those of the i-th endpoint.
    pub fn new<'a>(
        route: &Route,
        region: &str,
        now: Millis,
        facts: impl Fn(usize) -> Option<Facts<'a>>,
    ) -> Self {
        let endpoints = route.endpoints.iter().enumerate().filter_map(|(index, endpoint)| {
            facts(index).map(|facts| EndpointStatus::new(route, endpoint, facts, now))
        });
        let mut endpoints: Vec<_> = endpoints.collect();
        if route.mode == Mode::Weighted {
            let of = |index| Some(facts(index)?.shown(route));
            let shown: Vec<_> = (0..route.endpoints.len()).filter_map(of).collect();
            add_scores(route, &mut endpoints, &shown);
        }
        Self {
            route: route.name.clone(),
            protocol: protocol(route.protocol).to_owned(),
            chain_id: route.chain_id,
            chain_name: route.chain.as_ref().map(|chain| chain.name.clone()),
            currency: route.chain.as_ref().map(|chain| chain.currency.clone()),
            mode: mode(route.mode).to_owned(),
            region: region.to_owned(),
            now_ms: now,
            serving: serving(&endpoints),
            config: Effective::of(route),
            endpoints,
            transitions: Vec::new(),
        }
    }
}

impl RouteStatus {
    /// Adds an isolate's part.
    pub fn add_locals(&mut self, locals: Vec<Local>) {
        for local in locals {
            if let Some(entry) = self.endpoints.iter_mut().find(|e| e.name == local.name) {
                entry.local_state = Some(local.state);
                entry.gaps = local.gaps;
            }
        }
    }
}

/// The first that is well; in weighted mode the one with the greatest share.
fn serving(endpoints: &[EndpointStatus]) -> Option<String> {
    let well = endpoints.iter().filter(|endpoint| endpoint.serves());
    // Of equals the last is taken: from behind, that is the first.
    let first = well.rev().max_by(|a, b| a.share().total_cmp(&b.share()));
    first.map(|endpoint| endpoint.name.clone())
}

fn add_scores(route: &Route, endpoints: &mut [EndpointStatus], shown: &[Shown]) {
    let scores = scores(shown).into_iter().zip(&route.endpoints);
    for (endpoint, (score, configured)) in endpoints.iter_mut().zip(scores) {
        endpoint.weight = Some(configured.weight);
        endpoint.score = Some(score);
    }
}

impl Facts<'_> {
    fn shown(&self, route: &Route) -> Shown {
        let lags = self.lag.is_some_and(|lag| lag.exceeds(route.freshness));
        Shown { digest: self.recent, lags }
    }
}

impl EndpointStatus {
    fn share(&self) -> f64 {
        let score = self.score.map_or(1.0, |score| score.value);
        score * f64::from(self.weight.unwrap_or(1))
    }

    fn new(route: &Route, endpoint: &Endpoint, facts: Facts<'_>, now: Millis) -> Self {
        let (breaker, tally) = (facts.breaker, facts.tally);
        let enabled = endpoint.bound && !facts.orders.disabled;
        Self {
            name: endpoint.name.clone(),
            state: if enabled { breaker.state().label() } else { "disabled" }.to_owned(),
            local_state: None,
            since_ms: breaker.since(),
            consecutive_failures: breaker.consecutive_failures(),
            probe_successes: breaker.probe_successes(),
            retry_at_ms: breaker.retry_at(),
            enabled,
            throttled_until_ms: facts.rest.map(|rest| rest.until),
            trips_total: breaker.trips(),
            head: facts.head.map(|head| head.number),
            head_age_ms: facts.head.map(|head| now.since(head.at)),
            lag_blocks: facts.lag.map(|lag| lag.blocks),
            finalized: facts.finalized,
            finalized_lag_blocks: facts.finalized_lag.map(|lag| lag.blocks),
            chain_id: facts.chain,
            requests: tally.requests,
            failures: tally.failures,
            minutes: facts.minutes.map(|minutes| minutes.until(now)).unwrap_or_default(),
            latency_ms: Latency { p50: tally.quantile_ms(0.5), p99: tally.quantile_ms(0.99) },
            methods: tally.methods.clone(),
            gaps: Vec::new(),
            slow: tally.slow,
            disagreements: tally.disagreements,
            weight: None,
            score: None,
            last_failure: tally.last_failure.clone(),
            fault: facts.orders.drill(now),
            error_replies: Maybe(None),
            resting: facts.rest.map(|rest| rest.why),
            behind: facts.lag.map(|lag| lag.exceeds(route.freshness)),
        }
    }

    /// Whether it is closed and does not rest.
    pub fn serves(&self) -> bool {
        self.state == State::Closed.label() && self.throttled_until_ms.is_none()
    }
}

impl Effective {
    fn of(route: &Route) -> Self {
        Self {
            attempt_timeout_ms: route.timeouts.attempt_ms,
            total_timeout_ms: route.timeouts.total_ms,
            max_attempts: route.max_attempts,
            trip_after: route.breaker.trip_after,
            trip_ratio: route.breaker.trip_ratio,
            trip_min: route.breaker.trip_min,
            trip_window_ms: route.breaker.trip_window_ms,
            cooldown_ms: route.breaker.cooldown_ms,
            cooldown_max_ms: route.breaker.cooldown_max_ms,
            close_after: route.breaker.close_after,
        }
    }
}

fn protocol(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Evm => "evm",
        Protocol::X402 => "x402",
    }
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Ordered => "ordered",
        Mode::Weighted => "weighted",
        Mode::Quorum => "quorum",
    }
}
