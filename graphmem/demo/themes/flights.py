"""여행: changing and booking flights and rooms, in Korean. Hides `seat-sold-out`."""

from __future__ import annotations

from graphmem.demo.theme import Action, Cast, Move, Scene, Task, Theme

_ACTIONS = {
    "항공편 조회": Action(
        tools=("항공검색",),
        why=(
            "{city}행 항공편에 남은 좌석이 있는지 먼저 확인한다.",
            "고객이 원하는 날짜의 항공편을 찾아본다.",
            "{day} 출발편을 조회한다.",
        ),
        good=("{city}행 항공편 세 편을 찾았다.", "{day} 오전편과 오후편이 검색되었다."),
        bad=("원하는 항공편은 이미 매진되었다.", "검색 결과가 없다."),
        arguments={"좌석등급": ("일반석", "비즈니스석"), "직항": (True, False)},
    ),
    "대체편 제안": Action(
        tools=("예약시스템",),
        why=(
            "같은 날 다른 시간대를 안내하면 일정에 무리가 없다.",
            "매진이라면 가까운 시간의 항공편을 권한다.",
            "{city}으로(로) 가는 다른 항공편을 제안한다.",
        ),
        good=("고객이 저녁 항공편을 선택했다.", "두 시간 늦은 항공편으로 합의했다."),
        bad=("고객이 다른 시간은 어렵다고 답했다.",),
        arguments={"시간대": ("오전", "오후", "저녁")},
    ),
    "예약 변경": Action(
        tools=("예약시스템",),
        why=("합의한 항공편으로 예약을 바꾼다.", "예약 {booking}의 날짜를 변경한다."),
        good=("예약 {booking}이(가) 변경되었다.", "변경이 끝나 새 일정표를 보냈다."),
        bad=("변경 수수료 때문에 고객이 거절했다.", "예약시스템이 변경을 거부했다."),
    ),
    "규정 확인": Action(
        tools=("규정집",),
        why=("변경 수수료가 있는지 확인한다.", "요금제에 따라 규정이 다르다."),
        good=("출발 하루 전까지는 수수료가 없다.", "한 번은 무료로 바꿀 수 있다."),
        bad=("해당 요금제의 규정을 찾지 못했다.",),
    ),
    "고객 확인": Action(
        tools=("채팅",),
        why=("여권 이름과 인원을 확인한다.", "원하는 날짜를 다시 묻는다."),
        good=("고객이 {people} 명이라고 답했다.", "여권 정보를 확인했다."),
        bad=("답장이 오지 않는다.",),
    ),
    "대기 등록": Action(
        tools=("예약시스템",),
        why=("취소 좌석이 나올 수 있으니 대기를 걸어 둔다.",),
        good=("대기 순번 {rank}번으로 등록되었다.",),
        bad=("대기가 마감되었다.",),
    ),
    "숙소 검색": Action(
        tools=("숙소검색",),
        why=("{city}에서 묵을 곳도 함께 찾는다.", "공항에서 가까운 숙소를 찾는다."),
        good=("역 근처 숙소 네 곳을 찾았다.", "조식이 포함된 방이 남아 있다."),
        bad=("예산에 맞는 방이 없다.",),
    ),
    "일정표 발송": Action(
        tools=("메일",),
        why=("확정된 일정을 메일로 남긴다.",),
        good=("일정표를 보냈다.", "고객이 메일을 받았다."),
        bad=("메일 주소가 잘못되었다.",),
    ),
}

_SOLD_OUT = ("좌석매진",)

FLIGHTS = Theme(
    key="travel",
    domain="여행",
    language="ko",
    size=40,
    cast=Cast("seat-sold-out", success=17, partial=1, failure=0),
    other_success=0.25,
    versioned=True,
    tasks=(
        Task(
            "출장-항공권-변경",
            (
                ("{city} 출장 항공권을 {day}로 변경", "회의가 밀려서 {day}에 출발해야 해요."),
                ("{city}행 출장 일정 조정", "출장 날짜가 바뀌었는데 항공권도 바꿀 수 있을까요?"),
            ),
        ),
        Task(
            "가족여행-예약",
            (
                ("{city} 가족여행 항공권 예약", "{people} 명이 {city}에 가려고 합니다."),
                ("{people} 명 가족여행 일정 잡기", "아이들 방학에 맞춰 {city} 여행을 가고 싶어요."),
            ),
        ),
        Task("신혼여행-일정", (("{city} 신혼여행 일정 확정", "신혼여행으로 {city}을(를) 생각하고 있어요."),)),
        Task("귀국편-앞당기기", (("{city}발 귀국편 앞당기기", "급한 일이 생겨서 빨리 돌아가야 해요."),)),
        Task("단체-좌석-확보", (("{city}행 단체 좌석 확보", "동호회 {people} 명이 함께 탈 수 있나요?"),)),
    ),
    one_offs=(
        ("예약 {booking}의 영수증 재발급", "회사에 낼 영수증이 필요합니다."),
        ("{city} 비자 준비 안내", "{city}에 갈 때 비자가 필요한가요?"),
        ("휠체어 서비스 신청", "어머니가 휠체어를 쓰셔서 도움이 필요해요."),
        ("마일리지 누락 적립", "지난달 {city}행 마일리지가 빠졌어요."),
    ),
    slots={
        "city": ("도쿄", "방콕", "파리", "다낭", "런던", "싱가포르"),
        "day": ("3월 2#일", "4월 1#일", "5월 #일"),
        "people": ("두", "세", "네", "다섯"),
        "rank": ("3", "5", "8"),
        "booking": ("K#####", "T#####"),
    },
    actions=_ACTIONS,
    fillers=("규정 확인", "고객 확인", "숙소 검색", "일정표 발송"),
    planted=(
        Scene(
            (
                Move("항공편 조회", errors=_SOLD_OUT),
                Move("대체편 제안", fixes=_SOLD_OUT),
                Move("예약 변경"),
            ),
            lessons=("매진이면 바로 대체편을 제안하고 그 자리에서 예약을 바꾼다.",),
        ),
        Scene(
            (
                Move("항공편 조회", concepts=("직항",), errors=_SOLD_OUT),
                Move("대체편 제안", concepts=("환승",), fixes=_SOLD_OUT),
                Move("예약 변경", concepts=("여정",)),
                Move("일정표 발송"),
            ),
            lessons=("환승편까지 함께 안내하면 고객이 쉽게 결정한다.",),
        ),
    ),
    decoys=(
        Scene((Move("항공편 조회", errors=_SOLD_OUT), Move("대기 등록"), Move("예약 변경", effective=False))),
        Scene((Move("항공편 조회"), Move("대체편 제안"), Move("규정 확인"), Move("예약 변경"))),
        Scene((Move("예약 변경", errors=_SOLD_OUT, effective=False), Move("항공편 조회"), Move("대기 등록"))),
        Scene((Move("대체편 제안", effective=False), Move("항공편 조회", errors=_SOLD_OUT), Move("숙소 검색"))),
    ),
    stray_errors=("결항", "여권정보오류", "좌석매진"),
    stray_concepts=("환승", "수하물", "직항", "여정"),
    ambient=("수하물", "마일리지", "여행자보험"),
    endings={
        "success": ("{city} 일정이 확정되었다.", "예약 {booking} 변경을 마쳤다."),
        "partial": ("가는 편만 변경하고 오는 편은 대기 중이다.", "일부 인원만 좌석을 확보했다."),
        "failure": ("좌석을 구하지 못해 여행을 취소했다.", "변경하지 못한 채 상담이 끝났다."),
    },
    lessons={
        "success": ("인원과 날짜를 먼저 확인하면 상담이 짧아진다.", "수수료는 처음에 알려 준다."),
        "failure": ("대기만 걸어 두면 고객이 기다리다 떠난다.", "규정을 확인하기 전에 약속하지 않는다."),
    },
    tags=("항공", "예약", "변경", "여행"),
)
