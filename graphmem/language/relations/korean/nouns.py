"""Korean nouns that the rules treat apart: those that point, count, or name a role rather than a concept."""

from __future__ import annotations

from graphmem.language.relations.surface_words import word_set

LEADING = word_set(
    "이번 다음 지난번 저번 최근 현재 당시 기존 각종 요즘 오늘날 만약 만일 혹시 가령 어제 오늘 내일 지금"
    " 올해 작년 내년 지난해 매일 매년 매주 이때 그때 때 한때 경우 후 뒤 무렵"
)
"""Nouns that say when, or which one is meant: no part of a name that goes on behind a blank."""

TRAILING = word_set(
    "내부 외부 내 당시 이후 이전 전후 등지 일대 측 모두 전체 자체 자신 본인 가운데 동안 대비 여부 사이 속 위 안"
    " 일부 대부분"
)
"""Nouns that say where or when of a thing: no part of a name that stands before a blank."""

TITLES = word_set("님 씨 옹")
"""What is put behind a person's name."""

UNITS = word_set("cm mm m km kg g mg t l ml GB MB KB TB ms s Hz kHz MHz GHz kW W V A dB px")
"""Latin units of measure."""

MANNERS = word_set("속도 방식 방법 형태 처음 최초 규모 순서 중심 위주 단위 식 순 차원 형식 모양 절차")
"""Nouns that 로 makes an adverb: 빠른 속도로 이루어지다."""

QUALITIES = word_set("능력 자격 조건 자질 실력 경험 권한 역량 지식 성격 모습 외모 인성 매력 효과 영향력 형태 면모")
"""Nouns for what one has without its being a part: 능력을 갖추다."""

POINTING = word_set(
    "결국 대개 보통 진짜 정말 여부 것 것들 수 때 점 바 등 이것 그것 저것 곳 편 쪽 중 일 말 위 아래 안 밖"
    " 앞 뒤 옆 속 사실 문제 이유 원인 결과 경우 정도 이상 이하 이번 다음 요즘 최근 당시 이후 이전 처음"
    " 마지막 오늘 내일 어제 지금 월요일 화요일 수요일 목요일 금요일 토요일 일요일 최소 최대 기존 주도 도움"
    " 각종 여러 총 마찬가지 수준 의견 뜻 의미 이름 별명 표현 단어 제목 생각 예정 계획 덕분 때문 역할 현상"
    " 상황 모습 상태 대상 자체 자신 모두 누구 무엇 하나 일부 부분 종류 일종 나머지 대부분 전체 다수 이들"
    " 그들 사건 사태 사람 사람들"
)
"""Nouns that name no concept by themselves."""

ROLES = word_set(
    "원인 이유 결과 목적 특징 이름 별명 본명 호 수도 인구 면적 위치 주인공 감독 작가 저자 출신 국적 취미"
    " 직업 나이 키 무게 높이 길이 가격 날짜 장소 주제 내용 제목 계기 배경 방법 과제 문제 대표작 주장 입장"
    " 의견 생각 꿈 목표 핵심 정답 답 회의 약속 생일 시작 끝 차이 명칭 순서 어순 멤버 구성 라인업 명단 질량"
    " 규모 기록 기본틀 기점 원칙 스타일 전공 포지션 아버지 어머니 본인 성격 종교 혈액형 모토 슬로건 장르"
    " 후견인 보직"
)
"""Nouns for a role: what is said to be one fills it and is no kind of it, so they are no subject of a copula."""

UNFIT_KINDS = word_set(
    "수치 존재 강자 아이덴티티 발음 표기 비율 기정사실 기정사실화 활동 행동 예외 오랜만 얘기 이야기 이내"
    " 주연 조연 여동생 남동생 전작 후속작 무득점 특기 터닝포인트 전환점 인생작 때 곳 것 생각 예정 중 편"
    " 모양 이상 이하 정도 최초 처음 마지막 사실 상태 상황 출신 이유 원인 결과 목적 때문 덕분 뿐 셈 터 의미"
    " 뜻 문제 차례 경우 점 특징 전부 대부분 모두 무엇 시점 소속 자필 음모 우익 좌익 방문국 당사자 후처 첩"
    " 기점 종점 커리어하이 무소식 정반대 실수 심정 유분수 분석 근본 부적격 절친 심복 물론 일쑤 예시 친분"
    " 판매 소속사 동기 사례 인척 팀원 일가 친척 동료 상대 적수 후배 선배 측근 당권파 급 전 전제 선택"
    " 관심거리 순서 신분 지경 격 판 노릇 실력 입지 관건 절정 전성기 시대 세대 누구 내용 이름 수준 시작"
    " 입장 계획 방침 전망 실정 추세 사이 사람 일 말 데 듯 잘못 최고 최대 최소 이번 다음 오늘 내일 어제"
    " 월요일 화요일 수요일 목요일 금요일 토요일 일요일 자리 차이 친구 스승 제자 동문 동창 아버지 어머니"
    " 아들 딸 동생 형 누나 언니 오빠 부인 아내 남편 부모 자식 후손 후계자 가족 라이벌 경쟁자 상징 예 여당"
    " 야당 태생 방문지 전임 후임 약자 줄임말 준말 별도 마찬가지 필수 별칭 본명 애칭 전신 후신 배경 근거"
    " 기반 기준 대상 주인공 시기 기간 시절 처지 신세 소유 몫 쪽 초 대 탄생 최다 최연소 동일 동갑 무렵 덕"
    " 탓 집 부분 일부"
)
"""Nouns behind which a copula says no kind."""

KINDS = word_set("일종 종류 하나 종 갈래 유형")
"""Nouns that say of a thing which kind it belongs to: 포유류의 일종."""

PARTS = word_set("일부 일부분 부분 부품 구성요소 요소 구성원 성분 일원 일환")
"""Nouns that say of a thing which whole it belongs to: 눈의 일부."""

CAUSES = word_set("원인 주원인")
"""Nouns that say of a thing what it brings about: 폐암의 원인."""

BARE = word_set(
    "차이 증가 감소 부족 변화 손실 저하 상승 하락 악화 확대 축소 파괴 부재 결핍 상실 붕괴 약화 강화 과다 과잉"
    " 고갈 중단 지연 누락 실패 발생 등장 존재 쇠퇴 몰락 전락 제명 폭로 암살 발언 도입 폐지 개혁 사용 이용 섭취"
    " 노출 영향 결함 오류 이상 특성 구조 성질 문제 행동 행위 결정 조치 정책 활동 효과 작용 과정 비율 수 양 정도"
    " 수준 축적 침투 유입 배출 방출 방류 훼손 손상 누출 유출 침해 실수 부실 미비 소홀 갈등 마찰 접촉 개입 개발"
    " 한계 단점 상태 환경 조건 특징"
)
"""Nouns that mean nothing alone as a cause or an effect: the increase of what?"""

ANYBODY = word_set(
    "인물 사람 사람들 존재 이 자 자들 놈 주인공 당사자 장본인 방법 방식 이유 날 시간 시기 사실 기회 필요 계기 사례"
    " 예 과정 이야기 내용 주장 소문 여지 기능 역할 요인 요소 원인 주범"
)
"""Nouns for whoever does something, and for the clause in front of them: neither brings anything about."""

DOUBTS = word_set("여부 가능성 위험 위험성 우려 의혹 의심 논란 확률 소지 전망 개연성 예상 추정 추측")
"""Nouns that say of an effect that it may not come: 사망 가능성."""

ASPECTS = word_set(
    "단계 경우 원인 정도 수 양 비율 일부 대부분 다수 규모 사례 예 해결 예방 방지 최소화 차단 대책 위험 위험성"
    " 가능성 우려 여부 영향 결과 과정 시점 시기 종류 유형 범위 빈도 횟수 건수 모습 양상 형태 대상 부분 측면 전부"
    " 나머지"
)
"""Nouns that only say which side of an effect is meant: 유출의 최종 단계."""

ANSWERS = word_set(
    "안내 공지 대책 방안 예방 방지 대응 대비 조사 분석 연구 보도 보고 보고서 점검 점검표 사과 사과문 해결책 방침"
    " 해소 완화 해결 복구 수정 방어 극복 전략 계획"
)
"""Nouns for what is done about an effect, which its cause does not bring about: 화재로 인한 피해 대책."""

DEEDS = word_set(
    "쿠데타 정변 전쟁 반란 난 봉기 운동 폭동 혁명 소송 변 거사 내전 폭발 대폭발 발작 경련 말썽 파업 기절"
    " 졸도 동요 의병 군사 군대 몸 나라 국가 왕조 가문 집안 기업 사업 회사 종파 테러 범죄 침공 침략 난동"
)
"""Nouns that 일으키다 makes somebody's deed, not an effect: 반란을 일으키다."""
